import { mappedState, strictest as strictestTold } from '../vendors/generic.ts';
import { bareWord, UNSUBSCRIBED } from '../vendors/words.ts';
import type { Answers } from './answers.ts';
import { isState, rankOf } from './states.ts';
import type { ColumnTarget, ReadingOptions, State, StateVerdict, TableReading } from './types.ts';

/** What the state of a table's rows is made from. */
export interface StateParts {
  readonly reading: TableReading;
  /** Columns that --map names as the status or the reason. */
  readonly mapped: readonly { readonly at: number; readonly kind: 'status' | 'reason' }[];
  readonly answers: Answers;
  readonly reason: ReadingOptions['reason'];
  readonly stateless: StateVerdict;
  /** Position of a column that --map names as the opt-out date; -1 where there is none. */
  readonly dateAt: number;
}

/** The state rule of a table, and where the state comes from; undefined where the table holds none. */
export interface StateRule {
  readonly from: string | undefined;
  stateOf(cells: readonly string[], svcState: string): StateVerdict;
}

/**
 * svc_state outranks --reason, which outranks columns named by --map, which outrank the platform; --status-map answers
 * the words of whichever of these is read.
 */
export function createStateRule(parts: StateParts, header: readonly string[]): StateRule {
  const { base, from } = dated(basis(parts, header), parts, header);
  const { stateless } = parts;
  return {
    from,
    stateOf: (cells, svcState) => {
      const verdict = svcState === '' ? base(cells) : (svcVerdict(svcState) ?? base(cells));
      return verdict.state === 'none' && verdict.unknown === undefined ? stateless : verdict;
    },
  };
}

// Who has an opt-out date left, where nothing else tells a state: no default may sign them up again.
function dated(basis: Basis, { dateAt }: StateParts, header: readonly string[]): Basis {
  if (dateAt < 0 || basis.from !== undefined) {
    return basis;
  }
  const base: StateOf = (cells) => ((cells[dateAt] ?? '').trim() === '' ? basis.base(cells) : UNSUBSCRIBED);
  return { base, from: `column ${JSON.stringify(header[dateAt] || String(dateAt + 1))}` };
}

interface Basis {
  readonly base: StateOf;
  readonly from: string | undefined;
}

type StateOf = (cells: readonly string[]) => StateVerdict;

const REASON_STATES: Readonly<Record<string, State>> = {
  bounced: 'bounced',
  complained: 'complained',
  unsubscribed: 'suppressed',
};

function basis(parts: StateParts, header: readonly string[]): Basis {
  const { reading, mapped, answers } = parts;
  if (parts.reason !== undefined) {
    const verdict: StateVerdict = { state: REASON_STATES[parts.reason] ?? 'suppressed' };
    return { base: () => verdict, from: '--reason' };
  }
  if (mapped.length === 0) {
    const told = (reading.told ?? [reading]).map((one) =>
      answered(
        (cells) => one.stateOf(cells),
        (cells) => one.wordOf?.(cells),
        answers,
      ),
    );
    return { base: told.reduce(strictestTold), from: reading.stateFrom };
  }
  const rules = mapped.map(({ at, kind }) => {
    const read = mappedState(kind, reading.words);
    return answered(
      (cells) => read(cells[at] ?? ''),
      (cells) => cells[at] ?? '',
      answers,
    );
  });
  const from = `column ${mapped.map(({ at }) => JSON.stringify(header[at] || String(at + 1))).join(' and ')}`;
  return { base: rules.reduce(strictest), from };
}

type WordOf = (cells: readonly string[]) => string | undefined;

// --status-map answers words the platform knows as well as those it doesn't; cells repeat, so raw cells are remembered.
function answered(base: StateOf, wordOf: WordOf, { states }: Answers): StateOf {
  if (states.size === 0) {
    return base;
  }
  return (cells) => {
    const verdict = base(cells);
    const word = wordOf(cells) ?? verdict.unknown;
    return (word === undefined ? undefined : states.get(bareWord(word))) ?? verdict;
  };
}

function strictest(one: StateOf, other: StateOf): StateOf {
  return (cells) => {
    const [a, b] = [one(cells), other(cells)];
    if (a.unknown !== undefined || b.unknown !== undefined) {
      return a.unknown === undefined ? b : a;
    }
    return rankOf(b.state) < rankOf(a.state) ? b : a;
  };
}

function svcVerdict(cell: string): StateVerdict | undefined {
  const word = cell.trim().toLowerCase();
  if (word === '' || word === 'none') {
    return undefined;
  }
  return isState(word)
    ? { state: word, why: word === 'skip' ? 'by_request' : undefined }
    : { state: 'none', unknown: cell };
}

/** True for the target kinds that a --map can give a state column. */
export function isStateTarget(target: ColumnTarget): target is { readonly kind: 'status' | 'reason' } {
  return target.kind === 'status' || target.kind === 'reason';
}
