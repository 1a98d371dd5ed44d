import type { ReadingOptions } from '../../import/types.ts';
import { SUPPRESSION_REASONS } from '../../wire/words.ts';
import type { ImportOptions } from '../options.ts';
import type { Drafted, OpenImport } from './prepare.ts';

const STATES = ['subscribed', 'unsubscribed', 'pending', 'bounced', 'complained', 'suppressed', 'skip'];

/**
 * Asks at a terminal for the status of the people of a list, or for the suppression reason. Asks only if the list does
 * not say it and no other check stops. Returns the options with the answer. Undefined without a terminal, or if the
 * answer is not one of the words.
 */
export async function askStatus({ options, ask }: OpenImport, drafted: Drafted): Promise<ImportOptions | undefined> {
  const stops = drafted.findings.filter((finding) => finding.level === 'stop');
  if (stops.length !== 1 || stops[0]?.check !== 'no_status' || !ask) {
    return undefined;
  }
  const asked = options.command === 'suppressions import' ? REASON : STATE;
  const question = `${stops[0].message}\n${asked.question} [${asked.words.join('/')}; Enter stops] `;
  const word = (await ask(question)).trim().toLowerCase();
  return asked.words.includes(word)
    ? { ...options, reading: { ...options.reading, ...asked.answer(word, options.reading) } }
    : undefined;
}

interface Asked {
  readonly question: string;
  readonly words: readonly string[];
  answer(word: string, reading: ReadingOptions): Partial<ReadingOptions>;
}

const STATE: Asked = {
  question: 'What are these people?',
  words: STATES,
  answer: (word, { defaultStatus }) => ({ defaultStatus: { ...defaultStatus, '*': word } }),
};

const REASON: Asked = {
  question: 'Why are they suppressed?',
  words: SUPPRESSION_REASONS,
  answer: (word) => ({ reason: SUPPRESSION_REASONS.find((reason) => reason === word) }),
};
