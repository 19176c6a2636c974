/**
 * Returns the HTML of the demo page.
 *
 * @param sentences sentences that the local recognizer knows; empty if it recognizes free speech
 */
export function webPage(sentences: readonly string[]): string {
  const hint =
    sentences.length === 0
      ? ''
      : `<p>Without API keys, the agent understands sentences like these:</p>
<ul>${sentences.map((each) => `<li>${each}</li>`).join('')}</ul>`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>A voice agent in your browser</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 3rem auto; padding: 0 1rem; }
  main { display: grid; grid-template-columns: 1fr 14rem; gap: 2rem; }
  #words p { margin: 0.4em 0; }
  .user { color: #1a5fb4; }
  .partial { opacity: 0.5; }
  button, input { font: inherit; padding: 0.4em 1em; }
  meter { width: 100%; }
</style>
<h1>Harbour Restaurant</h1>
${hint}
<p>
  <button id="call">Call</button>
  <button id="mute" disabled>Mute</button>
  <span id="state" role="status"></span>
</p>
<form id="form"><input id="text" placeholder="… or type" aria-label="Text" disabled></form>
<main>
  <section id="words" aria-live="polite"></section>
  <aside>
    <label>You <meter id="input" max="0.3"></meter></label>
    <label>Agent <meter id="output" max="0.3"></meter></label>
    <ul id="latency" aria-label="Latency of each reply"></ul>
  </aside>
</main>
<script src="/va-web.js"></script>
<script>
  const at = (id) => document.getElementById(id);
  let call = null;
  let transcript = [];
  function showWords() {
    at('words').replaceChildren(...transcript.map(({ role, text, final, interrupted }) => {
      const line = document.createElement('p');
      line.className = role + (final ? '' : ' partial');
      line.textContent = (role === 'user' ? 'You: ' : 'Agent: ') + text + (interrupted ? ' (interrupted)' : '');
      return line;
    }));
  }
  function showState(state) {
    const isLive = call !== null && state !== 'ended';
    at('state').textContent = state;
    at('call').textContent = isLive ? 'Hang up' : 'Call';
    at('mute').disabled = at('text').disabled = !isLive;
  }
  at('call').onclick = async () => {
    if (call !== null) return call.hangUp();
    transcript = [];
    at('latency').replaceChildren();
    showWords();
    try {
      const response = await fetch('/call', { method: 'POST' });
      if (!response.ok) throw new Error(await response.text());
      call = VaWeb.createWebCall(await response.json());
      call.on('state', ({ state }) => showState(state));
      call.on('transcript', (words) => {
        transcript = VaWeb.withWords(transcript, words);
        showWords();
      });
      call.on('latency', ({ total_ms: totalMs }) => {
        const line = document.createElement('li');
        line.textContent = Math.round(totalMs) + ' ms';
        at('latency').append(line);
      });
      call.on('suspended', () => { at('state').textContent = 'click anywhere to hear the call'; });
      call.on('ended', ({ reason, error }) => {
        call = null;
        showState('ended');
        at('state').textContent = error === null ? 'ended: ' + reason : error.message;
      });
      await call.start();
    } catch (error) {
      at('state').textContent = error.message;
    }
  };
  at('mute').onclick = () => {
    call.mute(!call.isMuted);
    at('mute').textContent = call.isMuted ? 'Unmute' : 'Mute';
  };
  at('form').onsubmit = (event) => {
    event.preventDefault();
    if (call !== null && at('text').value.trim() !== '') call.sendText(at('text').value);
    at('text').value = '';
  };
  setInterval(() => {
    const { input, output } = call === null ? { input: 0, output: 0 } : call.levels();
    at('input').value = input;
    at('output').value = output;
  }, 50);
</script>
</html>`;
}
