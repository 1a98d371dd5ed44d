import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { readTypedAnswer } from '../../../../src/base/os/terminal.ts';

/** Types the keys at a terminal. */
async function type(keys: string, { isHidden = true, question = 'API key: ' } = {}) {
  const input = new PassThrough();
  const output = new PassThrough();
  const stop = new AbortController();
  const asked = { question, isHidden, signal: stop.signal, interrupt: () => stop.abort(new Error('SIGINT')) };
  const answer = readTypedAnswer({ input, output }, asked);
  input.write(keys);
  const typed = await answer.catch((error: Error) => error.name);
  return { typed, shown: String(output.read() ?? '') };
}

const LEFT = '\u001b[D';
const RIGHT = '\u001b[C';

describe('a hidden answer at a terminal', () => {
  test.each([
    ['the user edits nothing', 'key_1\r', 'key_1'],
    ['the user moves with arrow keys', `ky${LEFT}e${RIGHT}_1\r`, 'key_1'],
    ['Ctrl-U deletes the line', 'wrong\u0015key_1\r', 'key_1'],
    ['Ctrl-W deletes a word', 'wrong\u0017key_1\r', 'key_1'],
    ['the user moves with Home and End', 'ey_\u001b[Hk\u001b[F1\r', 'key_1'],
    ['the user presses Ctrl-A, Delete and Ctrl-E', 'xkey_\u0001\u001b[3~\u00051\r', 'key_1'],
    ['Backspace deletes an emoji', 'key_😀\u007f1\r', 'key_1'],
    ['the terminal marks pasted text (bracketed paste)', '\u001b[200~key_1\u001b[201~\r', 'key_1'],
    ['it ends in a newline', 'key_1\n', 'key_1'],
    ['history is asked for', '\u001b[Akey_1\r', 'key_1'],
  ])('returns a hidden answer and shows no character of it when %s (K8)', async (_, keys, expected) => {
    const { typed, shown } = await type(keys);
    expect(typed).toBe(expected);
    expect(shown).toBe('API key: \n');
  });

  test('returns an empty hidden answer when the input ends', async () => {
    expect((await type('\u0004')).typed).toBe('');
  });

  test('ends a hidden question with an abort error when the user presses Ctrl-C', async () => {
    expect((await type('half\u0003')).typed).toBe('AbortError');
  });
});

test('shows the typed answer after a question of several lines', async () => {
  const { typed, shown } = await type('y\r', { isHidden: false, question: 'Plan: one\nGo ahead? [y/N] ' });
  expect(typed).toBe('y');
  expect(shown).toMatch(/^Plan: one\n[\s\S]*Go ahead\? \[y\/N\] [\s\S]*y/);
});

test.each([
  ['Ctrl-D', '\u0004'],
  ['Ctrl-C', '\u0003'],
])('writes a line break when the user ends a question with %s', async (_, keys) => {
  const { shown } = await type(keys, { isHidden: false, question: 'Go ahead? [y/N] ' });
  expect(shown).toContain('Go ahead? [y/N]');
  expect(shown.endsWith('\n')).toBe(true);
});
