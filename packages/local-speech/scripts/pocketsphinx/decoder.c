/* The interface that the worker calls: decoders over the files /model/* and a dictionary file, one JSGF grammar each. */
#include <pocketsphinx.h>
#include <sphinxbase/err.h>
#include <stdlib.h>

#define EXPORT(name) __attribute__((export_name(name)))

_Noreturn void longjmp(int *env, int value) { abort(); }

EXPORT("allocate") void *allocate(size_t bytes) { return malloc(bytes); }
EXPORT("release") void release(void *memory) { free(memory); }

/* Messages go to standard error, which the host keeps for error reports. The second pass of the search is off: it
 * gains nothing with a grammar and would delay the final result. The beams are wider than the default: a grammar leaves
 * few paths, and one pruned too early ends in no result at all. */
EXPORT("create_decoder") ps_decoder_t *create_decoder(const char *dictionary, const char *jsgf) {
  err_set_logfp(NULL);
  cmd_ln_t *config = cmd_ln_init(NULL, ps_args(), TRUE, "-hmm", "/model", "-dict", dictionary, "-mmap", "no",
                                 "-fwdflat", "no", "-bestpath", "no", "-beam", "1e-80", "-pbeam", "1e-80",
                                 "-wbeam", "1e-60", NULL);
  if (config == NULL) return NULL;
  ps_decoder_t *decoder = ps_init(config);
  cmd_ln_free_r(config);
  if (decoder == NULL) return NULL;
  if (ps_set_jsgf_string(decoder, "grammar", jsgf) < 0 || ps_set_search(decoder, "grammar") < 0) {
    ps_free(decoder);
    return NULL;
  }
  return decoder;
}

EXPORT("free_decoder") void free_decoder(ps_decoder_t *decoder) { ps_free(decoder); }
EXPORT("start_utterance") int start_utterance(ps_decoder_t *decoder) { return ps_start_utt(decoder); }
EXPORT("end_utterance") int end_utterance(ps_decoder_t *decoder) { return ps_end_utt(decoder); }

EXPORT("process") int process(ps_decoder_t *decoder, const int16 *samples, size_t count) {
  return ps_process_raw(decoder, samples, count, FALSE, FALSE);
}

EXPORT("hypothesis") const char *hypothesis(ps_decoder_t *decoder) {
  int32 score;
  return ps_get_hyp(decoder, &score);
}
