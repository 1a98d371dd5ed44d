import { type NamedInput, namesOfInput } from '../../source/source.ts';
import type { ReadingOptions } from '../reading-answers.ts';
import { readDefaultStatus } from '../state/default-status.ts';
import type { AnswerKind, Scope } from './exact-answers.ts';

interface ScopedDefault extends Scope {
  readonly name: string;
  readonly state: string;
}

/** How `decidingAnswers` reads answers of `--default-status`. */
export const DEFAULTS: AnswerKind<ScopedDefault> = {
  flag: '--default-status',
  pairOf: ({ name, state }) => `${name}=${state}`,
  meaningOf: ({ name, state }) => readDefaultStatus(name, state).state,
  signsUp: ({ name, state }) => readDefaultStatus(name, state).state === 'subscribed',
  mayCountTogether: false,
};

/** The answers of `--default-status` that name this input. `countNamed` returns how many inputs have a given name. */
export function defaultsOf(
  source: NamedInput,
  { defaultStatus }: Pick<ReadingOptions, 'defaultStatus'>,
  countNamed: (name: string) => number,
): readonly ScopedDefault[] {
  const names = [...new Set(namesOfInput(source))].filter((name) => Object.hasOwn(defaultStatus, name));
  return names.map((name) => ({ name, state: defaultStatus[name] ?? '', inputs: countNamed(name), columns: 0 }));
}
