import { withoutPair } from '../../../base/lib/errors.ts';
import { createNameCounter } from '../../source/source.ts';
import { answerError } from '../map-flag.ts';
import type { ReadingOptions } from '../reading-answers.ts';
import type { Table } from '../table.ts';
import { splitPair } from './answer-pairs.ts';
import { DEFAULTS, defaultsOf } from './default-answers.ts';
import { type AnswerKind, decidingAnswers, groupsOfWords, type Scope, WORDS } from './exact-answers.ts';
import { MAPS, mapsByColumn } from './named-columns.ts';

/** The answers on the command line, as typed. */
export interface TypedAnswers {
  readonly map: readonly string[];
  readonly statusMap: readonly string[];
  readonly defaultStatus: readonly string[];
}

/**
 * Throws SvcError (exit 2) if a typed answer that keeps mail away does not count. The reason is a more exact answer,
 * from a mapping file or an earlier run, that signs these people up: `left.csv:2:left=subscribed` outranks
 * `Status:left=skip`. To be called after typed answers have replaced earlier ones (C1, C10).
 */
export function refuseOutranked(tables: readonly Table[], options: ReadingOptions, typed: TypedAnswers): void {
  const countNamed = createNameCounter(tables.map(({ source }) => source));
  for (const { source, header, answers } of tables) {
    groupsOfWords(answers.words, header).forEach((found) => refuseIn(found, WORDS, typed.statusMap));
    mapsByColumn(header, answers).forEach((found) => refuseIn(found, MAPS, typed.map));
    refuseIn(defaultsOf(source, options, countNamed), DEFAULTS, typed.defaultStatus);
  }
}

function refuseIn<T extends Scope>(found: readonly T[], kind: AnswerKind<T>, typed: readonly string[]): void {
  const isTyped = (answer: T) => typed.includes(kind.pairOf(answer));
  const strict = found.find((answer) => isTyped(answer) && !kind.signsUp(answer));
  if (strict === undefined) {
    return;
  }
  const deciding = decidingAnswers(found, kind);
  const [stronger] = deciding;
  if (stronger !== undefined && deciding.every((answer) => kind.signsUp(answer) && !isTyped(answer))) {
    throw outrankedError(kind.flag, kind.pairOf(strict), kind.pairOf(stronger));
  }
}

function outrankedError(flag: string, pair: string, stronger: string) {
  const [subject] = splitPair(stronger);
  const [, value] = splitPair(pair);
  return answerError(
    'contradicting_answers',
    `${flag}: ${JSON.stringify(pair)} and ${JSON.stringify(stronger)} contradict each other, and the second one is more exact`,
    [
      'To replace the second one:',
      withoutPair(flag, pair, `${subject}=${value}`),
      'To keep it:',
      withoutPair(flag, pair),
    ].join('\n'),
  );
}
