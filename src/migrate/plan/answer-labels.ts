import { shellWord } from '../../base/lib/text.ts';

const MAP_LABELS: Readonly<Record<string, (column: string) => string>> = {
  email: (column) => `${column} holds the address`,
  status: (column) => `${column} says who is subscribed`,
  unsubscribed_at: (column) => `${column} says when people left`,
  ignore: (column) => `leave ${column} out`,
};

const STATUS_LABELS: Readonly<Record<string, string>> = {
  subscribed: 'everyone there agreed to get mail from you',
  unsubscribed: 'these people left: unsubscribed',
  skip: 'leave these people out',
};

const LABELS: Readonly<Record<string, (value: string) => string>> = {
  '--map': (pair) => {
    const [column, field] = cutLast(pair);
    const name = JSON.stringify(column);
    return MAP_LABELS[field]?.(name) ?? `keep ${name} as ${field.replace(/^attributes\./, '')}`;
  },
  '--default-status': (pair) => {
    const [, state] = cutLast(pair);
    return STATUS_LABELS[state] ?? `these people are ${state}`;
  },
  '--status-map': (pair) => {
    const [word, state] = cutLast(pair);
    return `${word === '' ? 'an empty cell' : JSON.stringify(word)} means ${state}`;
  },
  '--date-order': (order) =>
    order === 'mdy' ? 'the month is first: 03/04 is 4 March' : 'the day is first: 03/04 is 3 April',
  '--encoding': (name) => name,
  '--plan': (plan) => `the account is on a ${plan} plan`,
  '--reason': (reason) => `they are suppressed: ${reason}`,
  '--attributes': (names) => (names === 'none' ? 'send no attributes' : `send only the attributes ${names}`),
  '--allow-automation': (id) => `let ${id} mail everyone imported`,
  '--max-new-fields': (count) => `create up to ${count} custom fields, which cannot be deleted`,
  '--max-failures': (count) => `continue without these ${count} rows`,
};

/** The words of an answer as a sentence: `"Mail" holds the address, leave "Other" out`. */
export function answerLabel(words: readonly string[]): string {
  const labels = words.flatMap((word, at) => {
    const value = words[at + 1];
    const label = value === undefined ? undefined : LABELS[word]?.(value);
    return label === undefined ? [] : [label];
  });
  return labels.length > 0 ? [...new Set(labels)].join(', ') : words.map(shellWord).join(' ');
}

function cutLast(pair: string): readonly [name: string, value: string] {
  const at = pair.lastIndexOf('=');
  return [pair.slice(0, Math.max(0, at)), pair.slice(at + 1)];
}

// The labels of these flags already contain the condition.
const CLEAR: readonly string[] = ['--map', '--default-status', '--date-order', '--plan', '--reason', '--attributes'];

/** The part of the condition that the label leaves out: all of it, or only the text after its semicolon. */
export function answerDetail(words: readonly string[], when: string | undefined): string | undefined {
  return CLEAR.includes(words[0] ?? '')
    ? when?.split('; ').slice(1).join('; ') || undefined
    : when?.replace(/^If it /, '');
}
