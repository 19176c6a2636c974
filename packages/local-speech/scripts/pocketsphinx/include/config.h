/* What the sources may take for granted under wasi-libc. */
#define HAVE_LONG_LONG 1
#define HAVE_SNPRINTF 1
#define HAVE_SYS_STAT_H 1
#define HAVE_SYS_TYPES_H 1
#define HAVE_UNISTD_H 1
