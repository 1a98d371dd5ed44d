import { hash } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createLedgerCodec, makeLedgerKey, readLedgerKey } from '../../../src/ledgers/ledger-key.ts';
import { stateFolderLayout } from '../../../src/runs/store/state-folder.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const KEY = '0123456789abcdef'.repeat(4);
const PLACE = 'https://mail.example.test aud_1';

/** The hash that a ledger has stored for data. Ledgers of earlier versions have it too. */
function storedHash(purpose: string, data: string): Buffer {
  const subkey = hash('sha256', `${KEY}\n${purpose}\n${PLACE}`, 'buffer');
  return hash('sha256', Buffer.concat([subkey, Buffer.from(data)]), 'buffer').subarray(0, 16);
}

test.each(['x', 'é'.repeat(40), 'a'.repeat(4_064), 'a'.repeat(4_065), '名'.repeat(3_000), 'ab'.repeat(9_000)])(
  'gives content of any length the same hash as earlier versions (G7)',
  (json) => {
    const { hashContent } = createLedgerCodec(KEY, PLACE);
    for (const each of ['first', json, 'last', json]) {
      expect(hashContent(each)).toEqual(storedHash('content', each));
      expect(hashContent(Buffer.from(each))).toEqual(storedHash('content', each));
    }
  },
);

test('gives only the spellings of one address the same hash (G7)', () => {
  const { hashAddress } = createLedgerCodec(KEY, PLACE);
  expect(hashAddress('ana@example.com')).toEqual(storedHash('person', 'ana@example.com'));
  expect(hashAddress('ana@bücher.example')).toEqual(hashAddress('ana@xn--bcher-kva.example'));
  expect(hashAddress('ann@example.com')).not.toEqual(hashAddress('ana@example.com'));
});

test('decrypts an address only with its own hash and its own key', () => {
  const codec = createLedgerCodec(KEY, PLACE);
  const person = codec.hashAddress('ana@bücher.example');
  const sealed = codec.encryptAddress('ana@bücher.example', person);
  expect(sealed.toString('latin1')).not.toContain('example');
  expect(codec.decryptAddress(sealed, person)).toBe('ana@bücher.example');
  expect(codec.decryptAddress(sealed, codec.hashAddress('bo@example.com'))).toBeUndefined();
  expect(codec.decryptAddress(Buffer.from([...sealed].with(0, (sealed[0] ?? 0) ^ 1)), person)).toBeUndefined();
  const other = createLedgerCodec(KEY, 'https://mail.example.test aud_2');
  expect(other.decryptAddress(sealed, person)).toBeUndefined();
  expect(other.hashAddress('ana@example.com')).not.toEqual(person);
});

test('a fingerprint shows which key made a ledger, and does not hold the key', () => {
  const { fingerprint } = createLedgerCodec(KEY, PLACE);
  expect(fingerprint).toBe(hash('sha256', `${KEY}\nfingerprint\n${PLACE}`, 'hex'));
  expect(createLedgerCodec(KEY.replace('0', '1'), PLACE).fingerprint).not.toBe(fingerprint);
});

test('makes a key once, and keeps it in a private file', () => {
  const folder = join(tempFolder(), 'state');
  expect(readLedgerKey(folder)).toBeUndefined();
  const asked: number[] = [];
  const key = makeLedgerKey(folder, (length) => {
    asked.push(length);
    return KEY;
  });
  const path = join(stateFolderLayout(folder).ledgers, 'contacts.key');
  expect([key, readFileSync(path, 'utf8'), statSync(path).mode & 0o777, asked]).toEqual([KEY, `${KEY}\n`, 0o600, [64]]);
  expect([readLedgerKey(folder), makeLedgerKey(folder, () => 'f'.repeat(64))]).toEqual([KEY, KEY]);
});

test.each([
  ['a key', `${KEY}\n`, KEY],
  ['a key without a line end', KEY, KEY],
  ['too short a key', KEY.slice(1), undefined],
  ['too long a key', `${KEY}0`, undefined],
  ['capital letters', KEY.toUpperCase(), undefined],
  ['no key', '', undefined],
  ['a key after other text', `x${KEY}`, undefined],
])('reads a key file only when it holds one valid key: %s', (_, text, key) => {
  const folder = join(tempFolder(), 'state');
  const { ledgers } = stateFolderLayout(folder);
  mkdirSync(ledgers, { recursive: true });
  writeFileSync(join(ledgers, 'contacts.key'), text);
  expect(readLedgerKey(folder)).toBe(key);
});
