import { crc32, deflateSync, inflateSync } from 'node:zlib';

const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
const maxColours = 256;
/** Colours that differ less, in the sum of their three channels, share an entry of the palette. */
const leastDistance = 9;

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue of each pixel. */
  readonly rgb: Uint8Array;
}

/**
 * Returns a PNG of a screenshot with a palette, which takes a third of the bytes.
 * @param png with 8 bits per channel and without interlacing, as browsers write screenshots
 * @see https://www.w3.org/TR/png-3/
 */
export function toPalette(png: Uint8Array): Buffer {
  const { width, height, rgb } = decode(png);
  const palette = paletteOf(rgb);
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) rows[y * (width + 1) + 1 + x] = palette.indexOf(colourAt(rgb, y * width + x));
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  const colours = Buffer.from(palette.colours.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  const parts = [chunk('IHDR', head), chunk('PLTE', colours), chunk('IDAT', deflateSync(rows, { level: 9 }))];
  return Buffer.concat([signature, ...parts, chunk('IEND', Buffer.alloc(0))]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

function colourAt(rgb: Uint8Array, pixel: number): number {
  const [red = 0, green = 0, blue = 0] = rgb.subarray(pixel * 3, pixel * 3 + 3);
  return (red << 16) | (green << 8) | blue;
}

interface Palette {
  readonly colours: readonly number[];
  indexOf(colour: number): number;
}

/** Chooses the most frequent colours that differ enough; all others take the nearest of these. */
function paletteOf(rgb: Uint8Array): Palette {
  const counts = new Map<number, number>();
  for (let pixel = 0; pixel < rgb.length / 3; pixel += 1) {
    const colour = colourAt(rgb, pixel);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const colours: number[] = [];
  for (const [colour] of [...counts].sort(([, a], [, b]) => b - a)) {
    if (colours.length === maxColours) break;
    if (colours.every((other) => distance(colour, other) >= leastDistance)) colours.push(colour);
  }
  const known = new Map<number, number>();
  return {
    colours,
    indexOf(colour) {
      const index = known.get(colour) ?? nearest(colours, colour);
      known.set(colour, index);
      return index;
    },
  };
}

function nearest(colours: readonly number[], colour: number): number {
  let best = 0;
  for (const [index, each] of colours.entries()) {
    if (distance(each, colour) < distance(colours[best] ?? 0, colour)) best = index;
  }
  return best;
}

function distance(one: number, other: number): number {
  const channel = (shift: number): number => Math.abs(((one >> shift) & 255) - ((other >> shift) & 255));
  return channel(16) + channel(8) + channel(0);
}

function decode(png: Uint8Array): Pixels {
  const file = Buffer.from(png);
  const data: Buffer[] = [];
  let head = Buffer.alloc(13);
  for (let at = signature.length; at < file.length; ) {
    const length = file.readUInt32BE(at);
    const type = file.toString('latin1', at + 4, at + 8);
    const body = file.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') head = body;
    if (type === 'IDAT') data.push(body);
    at += length + 12;
  }
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)];
  const bytes = head[9] === 6 ? 4 : 3;
  const raw = unfilter(inflateSync(Buffer.concat(data)), { height, bytes, stride: width * bytes });
  const rgb = new Uint8Array(width * height * 3);
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    rgb.set(raw.subarray(pixel * bytes, pixel * bytes + 3), pixel * 3);
  }
  return { width, height, rgb };
}

/** Reverses the filters of the rows. @see https://www.w3.org/TR/png-3/#9Filters */
function unfilter(
  filtered: Buffer,
  { height, bytes, stride }: { readonly height: number; readonly bytes: number; readonly stride: number },
): Buffer {
  const raw = Buffer.alloc(height * stride);
  for (let y = 0; y < height; y += 1) {
    const filter = filtered[y * (stride + 1)] ?? 0;
    for (let x = 0; x < stride; x += 1) {
      const at = y * stride + x;
      const left = x >= bytes ? (raw[at - bytes] ?? 0) : 0;
      const up = y > 0 ? (raw[at - stride] ?? 0) : 0;
      const corner = x >= bytes && y > 0 ? (raw[at - stride - bytes] ?? 0) : 0;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0;
      raw[at] = (filtered[y * (stride + 1) + 1 + x] ?? 0) + guess;
    }
  }
  return raw;
}

function paeth(left: number, up: number, corner: number): number {
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}
