import { SvcError } from '../base/lib/errors.ts';
import { EXIT } from '../base/lib/exit.ts';
import type { Finding } from '../import/survey/survey-types.ts';
import { inOrder } from '../migrate/checks/all-checks.ts';
import { failures } from '../migrate/checks/failures.ts';
import type { OpenRun } from '../migrate/context.ts';
import { answerToAll, withWholeCommands } from '../migrate/plan/whole-commands.ts';
import { type Drafted, readList } from '../migrate/prepare/prepare.ts';
import { resolveStops } from '../migrate/prepare/resolve-stops.ts';
import type { CheckOptions } from './options.ts';

/** An open run of a check. */
export type OpenCheck = OpenRun<CheckOptions>;

/** The list as an import understands it. */
export type UnderstoodList = Pick<Drafted, 'survey' | 'people'>;

/**
 * Reads the list as an import reads it: the same survey, the same question at a terminal, the same stops (V1). A stop
 * throws, because a list that is not understood cannot be compared.
 */
export async function understandList(run: OpenCheck): Promise<UnderstoodList> {
  const { options, drafted } = await resolveStops({
    options: run.options,
    questioner: run.resumed ? undefined : run.questioner,
    draft: async (given) => {
      const read = await readList(run, given.reading);
      return { ...read, findings: findingsOf(read, given, run) };
    },
  });
  if (options !== run.options) {
    run.journal.amend({ options: { ...options } });
  }
  return accept(drafted, run);
}

function findingsOf({ survey }: UnderstoodList, options: CheckOptions, { retype }: OpenCheck): Finding[] {
  return withWholeCommands(inOrder([...survey.findings, failures({ survey, options })]), retype);
}

interface DraftedList extends UnderstoodList {
  readonly findings: readonly Finding[];
}

async function accept(read: DraftedList, { held, retype }: OpenCheck): Promise<UnderstoodList> {
  const stops = read.findings.filter(({ level }) => level === 'stop');
  const [first] = stops;
  if (first) {
    const more = stops.length > 1 ? ` (and ${stops.length - 1} more)` : '';
    throw new SvcError(EXIT.refused, first.check, `nothing was compared: ${first.message}${more}`, {
      hint: answerToAll(stops, retype),
    });
  }
  await held.confirm(read.survey.inputs);
  return read;
}
