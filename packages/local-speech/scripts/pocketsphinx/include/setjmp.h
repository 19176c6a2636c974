/* wasi-libc has no setjmp. The library only jumps when memory runs out; aborting the instance does there. */
typedef int jmp_buf[1];
#define setjmp(env) (0)
_Noreturn void longjmp(int *env, int value);
