import { describe, expect, it } from 'vitest';
import { CounterCipher } from '../../src/srtp/counter-cipher.ts';
import { GaloisCipher } from '../../src/srtp/galois-cipher.ts';
import { deriveKeys } from '../../src/srtp/key-derivation.ts';
import { SrtpReceiver } from '../../src/srtp/srtp-receiver.ts';
import { SrtpSender } from '../../src/srtp/srtp-sender.ts';
import { srtpSuites } from '../../src/srtp/suites.ts';

function hex(text: string): Buffer {
  return Buffer.from(text.replace(/\s/g, ''), 'hex');
}

/** Copies the packet into a buffer with space for the tag. */
function roomy(packet: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(packet.length + 32);
  bytes.set(packet);
  return bytes;
}

describe('SRTP key derivation', () => {
  it('matches RFC 3711 appendix B.3', () => {
    const master = hex('E1F97A0D3E018BE0D64FA32C06DE4139 0EC675AD498AFEEBB6960B3AABE6');
    const { rtp } = deriveKeys(srtpSuites.AES_CM_128_HMAC_SHA1_80, master);
    expect(rtp.cipherKey).toEqual(hex('C61E7A93744F39EE10734AFE3FF7A087'));
    expect(rtp.salt).toEqual(hex('30CBBC08863D8C85D49DB34A9AE1'));
    expect(rtp.authenticationKey).toEqual(hex('CEBE321F6FF7716B6FD4AB49AF256A156D38BAA4'));
  });

  it('matches RFC 6188 §7.2 for keys of 256 bits', () => {
    const master = hex('f0f04914b513f2763a1b1fa130f10e2998f6f6e43e4309d1e622a0e332b9f1b6 3b04803de51ee7c96423ab5b78d2');
    const { rtp } = deriveKeys(srtpSuites.AES_256_CM_HMAC_SHA1_80, master);
    expect(rtp.cipherKey).toEqual(hex('5ba1064e30ec51613cad926c5a28ef731ec7fb397f70a960653caf06554cd8c4'));
    expect(rtp.salt).toEqual(hex('fa31791685ca444a9e07c6c64e93'));
    expect(rtp.authenticationKey).toEqual(hex('fd9c32d39ed5fbb5a9dc96b30818454d1313dc05'));
  });
});

describe('the SRTP key stream', () => {
  const none = { authenticationKey: Buffer.alloc(20), salt: hex('F0F1F2F3F4F5F6F7F8F9FAFBFCFD') };

  it.each([
    [
      'RFC 3711 appendix B.2',
      srtpSuites.AES_CM_128_HMAC_SHA1_80,
      '2B7E151628AED2A6ABF7158809CF4F3C',
      'E03EAD0935C95E80E166B16DD92B4EB4 D23513162B02D0F72A43A2FE4A5F97AB 41E95B3BB0A2E8DD477901E4FCA894C0',
      'EC8CDF7398607CB0F2D21675EA9EA1E4 362B7C3C6773516318A077D7FC5073AE 6A2CC3787889374FBEB4C81B17BA6C44',
    ],
    [
      'RFC 6188 §7.1',
      srtpSuites.AES_256_CM_HMAC_SHA1_80,
      '57f82fe3613fd170a85ec93c40b1f0922ec4cb0dc025b58272147cc438944a98',
      '92bdd28a93c3f52511c677d08b5515a4 9da71b2378a854f67050756ded165bac 63c4868b7096d88421b563b8c94c9a31',
      'cea518c90fd91ced9cbb18c078a54711 3dbc4814f4da5f00a08772b63c6a046d 6eb246913062a16891433e97dd01a57f',
    ],
  ])('matches %s up to the last block', (_, suite, key, first, last) => {
    const cipher = new CounterCipher(suite, { ...none, cipherKey: hex(key) }, 'rtp', 0);
    const bytes = new Uint8Array(0xff02 * 16 + 10);
    const length = cipher.seal(bytes, 0, 0xff02 * 16, 0, 0, 0) - 10;
    expect(Buffer.from(bytes.subarray(0, 48))).toEqual(hex(first));
    expect(Buffer.from(bytes.subarray(length - 48, length))).toEqual(hex(last));
  });
});

describe('a protected packet', () => {
  it('with AES_CM_128_HMAC_SHA1_80 matches the reference implementation', () => {
    const master = hex('e1f97a0d3e018be0d64fa32c06de4139 0ec675ad498afeebb6960b3aabe6');
    const plain = hex('800f1234decafbadcafebabe abababababababababababababababab');
    const sealed = hex('800f1234decafbadcafebabe 4e55dc4ce79978d88ca4d215949d2402 b78d6acc99ea179b8dbb');
    const bytes = roomy(plain);
    const length = new SrtpSender('AES_CM_128_HMAC_SHA1_80', master).protectRtp(bytes, plain.length);
    expect(Buffer.from(bytes.subarray(0, length))).toEqual(sealed);
    const received = new SrtpReceiver('AES_CM_128_HMAC_SHA1_80', master, 0).unprotectRtp(sealed);
    expect(sealed.subarray(0, received)).toEqual(plain);
  });

  const salt = hex('517569642070726f2071756f');
  const rtp = hex(`8040f17b8041f8d35501a0b2 47616c6c696120657374206f6d6e697320646976697361
    20696e207061727465732074726573`);
  const rtcp = hex(`81c8000d4d617273 4e5450314e545032525450200000042a0000e9304c756e61
    deadbeefdeadbeefdeadbeefdeadbeefdeadbeef`);

  it.each([
    [
      'AEAD_AES_128_GCM',
      '000102030405060708090a0b0c0d0e0f',
      'f24de3a3fb34de6cacba861c9d7e4bcabe633bd50d294e6f42a5f47a51c7d19b36de3adf8833899d7f27beb16a9152cf765ee4390cce',
    ],
    [
      'AEAD_AES_256_GCM',
      '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f',
      '32b1de78a822fe12ef9f78fa332e33aab18012389a58e2f3b50b2a0276ffae0f1ba63799b87b7aa3db36dfffd6b0f9bb7878d7a76c13',
    ],
  ] as const)('with %s matches RFC 7714 §16', (name, key, sealed) => {
    const keys = { cipherKey: hex(key), authenticationKey: Buffer.alloc(0), salt };
    const cipher = new GaloisCipher(srtpSuites[name], keys, 'rtp', 0);
    const bytes = roomy(rtp);
    const length = cipher.seal(bytes, 12, rtp.length, 0x5501a0b2, 0, 0xf17b);
    expect(Buffer.from(bytes.subarray(12, length))).toEqual(hex(sealed));
    expect(cipher.open(bytes, 12, length, 0x5501a0b2, 0, 0xf17b)).toBe(rtp.length);
    expect(Buffer.from(bytes.subarray(0, rtp.length))).toEqual(rtp);
  });

  it.each([
    [
      'AEAD_AES_128_GCM',
      '000102030405060708090a0b0c0d0e0f',
      '63e94885dcdab67ca727d7662f6b7e997ff5c0f76c06f32dc676a5f1730d6fda' +
        '4ce09b4686303ded0bb9275bc84aa45896cf4d2fc5abf87245d9eade800005d4',
    ],
    [
      'AEAD_AES_256_GCM',
      '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f',
      'd50ae4d1f5ce5d304ba297e47d470c282c3ece5dbffe0a50a2eaa5c1110555be' +
        '8415f658c61de0476f1b6fad1d1eb30c4446839f57ff6f6cb26ac3be800005d4',
    ],
  ] as const)('of SRTCP with %s matches RFC 7714 §17', (name, key, sealed) => {
    const keys = { cipherKey: hex(key), authenticationKey: Buffer.alloc(0), salt };
    const cipher = new GaloisCipher(srtpSuites[name], keys, 'rtcp', 0);
    const bytes = roomy(rtcp);
    const length = cipher.seal(bytes, 8, rtcp.length, 0x4d617273, 0, 0x5d4);
    expect(Buffer.from(bytes.subarray(8, length)).toString('hex')).toBe(sealed);
    expect(cipher.open(bytes, 8, length, 0x4d617273, 0, 0x5d4)).toBe(rtcp.length);
  });
});
