// @ts-check
/**
 * The part of WASI preview 1 that PocketSphinx and flite use: files in memory, arguments, a clock, standard error.
 * @see https://github.com/WebAssembly/WASI/blob/main/legacy/preview1/docs.md
 */

const errno = { success: 0, badFile: 8, noEntry: 44, notSeekable: 70 };
const fileType = { characterDevice: 2, directory: 3, regularFile: 4 };
const rootDescriptor = 3;
const createFlag = 1;
const messagesKept = 2_000;

/** Thrown out of the instance when the program calls exit(). */
export class ProgramExit extends Error {}

/** A file that grows as it is written. */
class MemoryFile {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.buffer = bytes;
    this.length = bytes.length;
  }

  /** @param {number} at @param {Uint8Array} bytes */
  write(at, bytes) {
    const end = at + bytes.length;
    if (end > this.buffer.length) {
      const larger = new Uint8Array(Math.max(end, this.buffer.length * 2, 65_536));
      larger.set(this.buffer);
      this.buffer = larger;
    }
    this.buffer.set(bytes, at);
    this.length = Math.max(this.length, end);
  }

  contents() {
    return this.buffer.subarray(0, this.length);
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** @param {string} path */
const normalized = (path) => path.replace(/^(\.?\/)+/, '');

export class Wasi {
  /** @param {{ args?: string[], files?: Record<string, Uint8Array> }} options */
  constructor({ args = [], files = {} }) {
    this.args = args.map((arg) => encoder.encode(`${arg}\0`));
    /** @type {Map<string, MemoryFile>} */
    this.files = new Map();
    for (const [path, bytes] of Object.entries(files)) this.addFile(path, bytes);
    /** @type {Map<number, { file: MemoryFile, at: number }>} */
    this.open = new Map();
    this.nextDescriptor = rootDescriptor + 1;
    /** The end of what the program wrote to standard output and error. */
    this.messages = '';
    /** @type {{ buffer: ArrayBuffer } | undefined} */
    this.memory = undefined;
  }

  /** @param {string} path @param {Uint8Array} bytes */
  addFile(path, bytes) {
    this.files.set(normalized(path), new MemoryFile(bytes));
  }

  /** @param {string} path */
  removeFile(path) {
    this.files.delete(normalized(path));
  }

  /** @param {string} path @returns {Uint8Array | undefined} */
  readFile(path) {
    return this.files.get(normalized(path))?.contents();
  }

  get bytes() {
    return new Uint8Array(this.memory?.buffer ?? new ArrayBuffer(0));
  }

  get view() {
    return new DataView(this.memory?.buffer ?? new ArrayBuffer(0));
  }

  /** @param {number} at @param {number} length */
  text(at, length) {
    return decoder.decode(this.bytes.slice(at, at + length));
  }

  /** Yields the pieces of memory that an iovec array names. @param {number} at @param {number} count */
  *pieces(at, count) {
    for (let i = 0; i < count; i++) {
      const start = this.view.getUint32(at + i * 8, true);
      yield this.bytes.subarray(start, start + this.view.getUint32(at + i * 8 + 4, true));
    }
  }

  /** @param {number} fd @param {number} iovecs @param {number} count @param {number} readAt @param {number} [position] */
  read(fd, iovecs, count, readAt, position) {
    const entry = this.open.get(fd);
    if (entry === undefined) return errno.badFile;
    let at = position ?? entry.at;
    const start = at;
    for (const piece of this.pieces(iovecs, count)) {
      const part = entry.file.contents().subarray(at, at + piece.length);
      piece.set(part);
      at += part.length;
    }
    if (position === undefined) entry.at = at;
    this.view.setUint32(readAt, at - start, true);
    return errno.success;
  }

  /** @param {number} fd @param {number} iovecs @param {number} count @param {number} writtenAt */
  write(fd, iovecs, count, writtenAt) {
    const entry = this.open.get(fd);
    if (entry === undefined && fd >= rootDescriptor) return errno.badFile;
    let written = 0;
    for (const piece of this.pieces(iovecs, count)) {
      if (entry === undefined) this.messages = (this.messages + decoder.decode(piece)).slice(-messagesKept);
      else {
        entry.file.write(entry.at, piece);
        entry.at += piece.length;
      }
      written += piece.length;
    }
    this.view.setUint32(writtenAt, written, true);
    return errno.success;
  }

  /** The import object of the module. */
  get imports() {
    return { wasi_snapshot_preview1: { ...this.processCalls(), ...this.descriptorCalls(), ...this.pathCalls() } };
  }

  processCalls() {
    return {
      args_sizes_get: (/** @type {number} */ count, /** @type {number} */ size) => {
        this.view.setUint32(count, this.args.length, true);
        this.view.setUint32(
          size,
          this.args.reduce((sum, arg) => sum + arg.length, 0),
          true,
        );
        return errno.success;
      },
      args_get: (/** @type {number} */ pointers, /** @type {number} */ start) => {
        let at = start;
        for (const [i, arg] of this.args.entries()) {
          this.view.setUint32(pointers + i * 4, at, true);
          this.bytes.set(arg, at);
          at += arg.length;
        }
        return errno.success;
      },
      environ_sizes_get: (/** @type {number} */ count, /** @type {number} */ size) => {
        this.view.setUint32(count, 0, true);
        this.view.setUint32(size, 0, true);
        return errno.success;
      },
      environ_get: () => errno.success,
      clock_time_get: (/** @type {number} */ _id, /** @type {bigint} */ _precision, /** @type {number} */ at) => {
        this.view.setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
        return errno.success;
      },
      proc_exit: (/** @type {number} */ status) => {
        throw new ProgramExit(`exit ${status}: ${this.messages}`);
      },
    };
  }

  descriptorCalls() {
    return {
      fd_close: (/** @type {number} */ fd) => {
        this.open.delete(fd);
        return errno.success;
      },
      fd_fdstat_get: (/** @type {number} */ fd, /** @type {number} */ at) => {
        if (fd > rootDescriptor && !this.open.has(fd)) return errno.badFile;
        const type =
          fd === rootDescriptor
            ? fileType.directory
            : fd < rootDescriptor
              ? fileType.characterDevice
              : fileType.regularFile;
        this.bytes.fill(0, at, at + 24);
        this.view.setUint8(at, type);
        // Every right, for the descriptor and for what is opened through it.
        this.bytes.fill(0xff, at + 8, at + 24);
        return errno.success;
      },
      fd_fdstat_set_flags: () => errno.success,
      fd_filestat_get: (/** @type {number} */ fd, /** @type {number} */ at) => {
        this.bytes.fill(0, at, at + 64);
        this.view.setUint8(at + 16, fileType.regularFile);
        this.view.setBigUint64(at + 32, BigInt(this.open.get(fd)?.file.length ?? 0), true);
        return errno.success;
      },
      fd_prestat_get: (/** @type {number} */ fd, /** @type {number} */ at) => {
        if (fd !== rootDescriptor) return errno.badFile;
        this.view.setUint8(at, 0);
        this.view.setUint32(at + 4, 1, true);
        return errno.success;
      },
      fd_prestat_dir_name: (/** @type {number} */ _fd, /** @type {number} */ at) => {
        this.bytes[at] = '/'.charCodeAt(0);
        return errno.success;
      },
      fd_read: (/** @type {[number, number, number, number]} */ ...call) => this.read(...call),
      fd_pread: (
        /** @type {number} */ fd,
        /** @type {number} */ iovecs,
        /** @type {number} */ count,
        /** @type {bigint} */ position,
        /** @type {number} */ readAt,
      ) => this.read(fd, iovecs, count, readAt, Number(position)),
      fd_write: (/** @type {[number, number, number, number]} */ ...call) => this.write(...call),
      fd_seek: (
        /** @type {number} */ fd,
        /** @type {bigint} */ offset,
        /** @type {number} */ whence,
        /** @type {number} */ at,
      ) => {
        const entry = this.open.get(fd);
        if (entry === undefined) return errno.notSeekable;
        entry.at = Number(offset) + ([0, entry.at, entry.file.length][whence] ?? 0);
        this.view.setBigUint64(at, BigInt(entry.at), true);
        return errno.success;
      },
    };
  }

  pathCalls() {
    return {
      path_open: (
        /** @type {number} */ _directory,
        /** @type {number} */ _lookup,
        /** @type {number} */ path,
        /** @type {number} */ length,
        /** @type {number} */ flags,
        /** @type {bigint} */ _rights,
        /** @type {bigint} */ _inherited,
        /** @type {number} */ _descriptorFlags,
        /** @type {number} */ at,
      ) => {
        const name = normalized(this.text(path, length));
        let file = this.files.get(name);
        if (file === undefined) {
          if ((flags & createFlag) === 0) return errno.noEntry;
          file = new MemoryFile(new Uint8Array(0));
          this.files.set(name, file);
        }
        const descriptor = this.nextDescriptor++;
        this.open.set(descriptor, { file, at: 0 });
        this.view.setUint32(at, descriptor, true);
        return errno.success;
      },
    };
  }
}
