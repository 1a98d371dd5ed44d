import { existsSync, readFileSync, rmSync } from 'node:fs';
import { writePrivateFile } from '../base/files.ts';
import { afterCells, guardedCell } from '../import/csv/csv-text.ts';
import { ENROLLED, UNKNOWN, UNSENT } from './memory.ts';
import type { Doubtful } from './outcomes.ts';

/** What was decided about somebody who was in doubt: `enrolled`, or that they weren't. */
export interface Settled extends Doubtful {
  readonly decision: string;
}

/** The files of a run about people who were not enrolled, and about those in doubt alone. */
export interface OutcomeFiles {
  readonly outcomes?: string | undefined;
  readonly unknown?: string | undefined;
}

/** Takes whoever is settled out of the files: the enrolled out of both, others stay as unsent. Resolves to the files that are left. */
export function settleFiles({ outcomes, unknown }: OutcomeFiles, settled: readonly Settled[]): Left {
  const decisions = new Map(settled.map(({ line, email, decision }) => [`${line},${guardedCell(email)}`, decision]));
  const left = {
    outcomes: outcomes && rewrite(outcomes, decisions),
    unknown: unknown && rewrite(unknown, allOut(decisions)),
  };
  return {
    ...(left.outcomes ? { outcomes: left.outcomes } : {}),
    ...(left.unknown ? { unknown: left.unknown } : {}),
  };
}

/** Files in which somebody is left. */
interface Left {
  readonly outcomes?: string;
  readonly unknown?: string;
}

type Decisions = ReadonlyMap<string, string>;

/** Nobody who is settled is in doubt any more, however it was decided. */
function allOut(decisions: Decisions): Decisions {
  return new Map([...decisions.keys()].map((who) => [who, ENROLLED]));
}

/** The path of the file as it is now; undefined where nobody is left in it, and it is gone. */
function rewrite(path: string, decisions: Decisions): string | undefined {
  const [header = '', ...lines] = existsSync(path) ? readFileSync(path, 'utf8').replace(/\n$/, '').split('\n') : [];
  const kept = lines.flatMap((line) => settleLine(line, decisions) ?? []);
  if (kept.length === 0) {
    rmSync(path, { force: true });
    return undefined;
  }
  writePrivateFile(path, `${[header, ...kept].join('\n')}\n`);
  return path;
}

/** A line of the files as outcomes.ts writes them: line, address, outcome, and with several inputs the file. */
function settleLine(line: string, decisions: Decisions): string | undefined {
  const rest = afterCells(line, 2, ',');
  const who = line.slice(0, -rest.length - 1);
  const decision = rest.split(',')[0] === UNKNOWN ? decisions.get(who) : undefined;
  if (decision === undefined) {
    return line;
  }
  return decision === ENROLLED ? undefined : `${who},${UNSENT}${rest.slice(UNKNOWN.length)}`;
}
