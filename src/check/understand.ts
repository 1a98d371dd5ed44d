import { SvcError } from '../base/lib/errors.ts';
import { EXIT } from '../base/lib/exit.ts';
import type { Finding } from '../import/survey/survey-types.ts';
import { failures } from '../migrate/checks/failures.ts';
import { inOrder } from '../migrate/checks/list.ts';
import type { RunContext } from '../migrate/context.ts';
import { answerToAll, withWholeCommands } from '../migrate/plan/whole-commands.ts';
import type { OpenedRun } from '../migrate/prepare/open-run.ts';
import { type Drafted, readList } from '../migrate/prepare/prepare.ts';
import { resolveStops } from '../migrate/prepare/resolve-stops.ts';
import type { CheckOptions } from './options.ts';

/** An opened check and its options. */
export interface OpenedCheck extends OpenedRun {
  readonly options: CheckOptions;
}

/** The list as an import understands it. */
export type UnderstoodList = Pick<Drafted, 'survey' | 'people'>;

/**
 * Reads the list as an import reads it: the same survey, the same question at a terminal, the same stops (V1). A stop
 * throws, because a list that is not understood cannot be compared.
 */
export async function understandList(opened: OpenedCheck, context: RunContext): Promise<UnderstoodList> {
  const { options, journal, held } = opened;
  const list = { journal, held, outside: context, emit: context.emit };
  const { options: answered, drafted } = await resolveStops({
    options,
    questioner: opened.resumed ? undefined : context.questioner,
    draft: async (given) => {
      const read = await readList({ ...list, options: given });
      return { ...read, findings: findingsOf(read, given, context) };
    },
  });
  if (answered !== options) {
    journal.amend({ options: { ...answered } });
  }
  return accept(opened, drafted, context);
}

function findingsOf({ survey }: UnderstoodList, options: CheckOptions, { retype }: RunContext): Finding[] {
  return withWholeCommands(inOrder([...survey.findings, failures({ survey, options })]), retype);
}

interface DraftedList extends UnderstoodList {
  readonly findings: readonly Finding[];
}

async function accept({ held }: OpenedCheck, read: DraftedList, { retype }: RunContext): Promise<UnderstoodList> {
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
