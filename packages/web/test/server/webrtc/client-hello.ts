function uint16(value: number): Buffer {
  return Buffer.of(value >> 8, value & 0xff);
}

function extension(type: number, hex: string): Buffer {
  const data = Buffer.from(hex, 'hex');
  return Buffer.concat([uint16(type), uint16(data.length), data]);
}

/** Writes a message of a client as one record that is not encrypted. */
export function clientMessage(type: number, sequence: number, body: Buffer): Buffer {
  const length = Buffer.concat([Buffer.of(0), uint16(body.length)]);
  const message = Buffer.concat([Buffer.of(type), length, uint16(sequence), Buffer.of(0, 0, 0), length, body]);
  return Buffer.concat([Buffer.from('16fefd0000000000', 'hex'), Buffer.alloc(3), uint16(message.length), message]);
}

/** Writes a hello that offers what the service takes. */
export function clientHello(sequence: number, cookie: Buffer): Buffer {
  const extensions = Buffer.concat([
    extension(10, '00020017'),
    extension(11, '0100'),
    extension(13, '00020403'),
    extension(14, '000400010007' + '00'),
    extension(23, ''),
    extension(0xff01, '00'),
  ]);
  const body = Buffer.concat([
    ...[Buffer.from('fefd', 'hex'), Buffer.alloc(32, 3), Buffer.of(0), Buffer.of(cookie.length), cookie],
    ...[Buffer.from('0002c02b', 'hex'), Buffer.from('0100', 'hex'), uint16(extensions.length), extensions],
  ]);
  return clientMessage(1, sequence, body);
}
