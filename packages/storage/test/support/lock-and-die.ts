import { lockFolder } from '../../src/pglite/folder-lock.ts';

// Locks the folder in the first argument, and dies without releasing it.
await lockFolder(String(process.argv[2]));
process.kill(process.pid, 'SIGKILL');
