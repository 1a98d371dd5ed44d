import type { Finding, OtherAnswer } from '../../../../base/finding.ts';
import { plural, shellWord } from '../../../../base/lib/text.ts';
import type { State } from '../../../../platforms/lib/states.ts';
import type { InputWithoutStatus } from './input-without-status.ts';

/** The answers of a finding: the first one, the condition under which it is right, and others. */
export type Answers = Pick<Finding, 'hint' | 'when' | 'otherwise'>;

export const IF_LEFT = 'If these people opted out';
export const IF_NO_MAIL = 'If these people must get no mail';
export const AGREED_ALL = 'Only if every one of these people agreed to get mail from you';

/** The flag that gives the people of one input a state: `--default-status list.csv=skip`. */
export function defaultStatusFlag({ answeredAs }: Pick<InputWithoutStatus, 'answeredAs'>, state: State): string {
  return `--default-status ${shellWord(`${answeredAs}=${state}`)}`;
}

export function leaveOutText(rows: number): string {
  return `To leave out ${plural(rows, 'row')} without an answer`;
}

/** The answer for an input that says nothing about mail, beside inputs that do. */
export function decidedByOthers(input: InputWithoutStatus): OtherAnswer {
  const flags = defaultStatusFlag(input, 'skip');
  return { when: 'Only if this input says nothing about mail; the other inputs decide then', flags };
}
