import type { Finding } from '../../../base/finding.ts';
import { sumOf } from '../../../base/lib/rows.ts';
import { plural, shellWord, terminalSafe } from '../../../base/lib/text.ts';
import { notesNewAutomation } from '../../../migrate/checks/automations.ts';
import type { OpenRun } from '../../../run-lifecycle/data/run-context.ts';
import { listReadableRuns } from '../../../runs/find/list-runs.ts';
import type { RunSummary } from '../../../runs/find/summarize-run.ts';
import { readListedRun } from '../../../runs/store/open-journal.ts';
import { writtenAudienceId } from '../../../runs/store/run-header.ts';
import type { Automation } from '../../../wire/shapes.ts';
import type { EnrollOptions } from '../enroll-options.ts';

/** A run that imported people for whom the automation started. `people` is how many of them may be new. */
interface ImportRun {
  readonly run: string;
  readonly people: number;
}

/**
 * Stops if earlier imports started this automation for people who joined: an enrollment would mail them twice (M5). svc
 * does not know who they are, because a run does not keep its list. So the user must say with --allow-automation, or
 * --reenroll, that the automation may mail them again.
 */
export function importedIntoFindings(
  { stateFolder, options }: Pick<OpenRun<EnrollOptions>, 'stateFolder' | 'options'>,
  automation: Automation | undefined,
  toEnroll: number,
): readonly Finding[] {
  if (!automation || options.reenroll || toEnroll === 0) {
    return [];
  }
  const imports = importsThatStarted(stateFolder, automation);
  const [newest] = imports;
  if (!newest) {
    return [];
  }
  const total = sumOf(imports.map(({ people }) => people));
  const others = imports.length > 1 ? ` and ${plural(imports.length - 1, 'earlier run')}` : '';
  const message = `${newest.run}${others} imported ${plural(total, 'person', 'people')} for whom "${terminalSafe(automation.name)}" started as they joined the audience. Those of them who are in this list get its mail twice`;
  const check = 'imported_into';
  return options.allowAutomations.includes(automation.id)
    ? [{ check, level: 'warn', message, total }]
    : [{ check, level: 'stop', message, ...answerOf(automation), total }];
}

function answerOf({ id }: Automation): Pick<Finding, 'hint' | 'when'> {
  return {
    when: 'Only if none of them is in this list, or if they may get the mail twice',
    hint: `--allow-automation ${shellWord(id)}`,
  };
}

/** The runs that imported people into the audience and let this automation start, newest first. */
function importsThatStarted(stateFolder: string, { id, audience_id: audienceId }: Automation): readonly ImportRun[] {
  const isImport = ({ header, hasSent, destinationId }: RunSummary) =>
    header !== undefined && hasSent === true && destinationId !== id && writtenAudienceId(header) === audienceId;
  // The ids of automations and audiences are unique, so a run under another base URL counts too.
  return listReadableRuns(stateFolder)
    .filter(isImport)
    .map(({ run, header }) => {
      const allowed = (header?.options.allowAutomations ?? []) as readonly string[];
      const people = readListedRun(stateFolder, run, (journal) => {
        const counts = journal.counts('contacts');
        const hasStarted = allowed.includes(id) || notesNewAutomation(journal, id);
        return hasStarted ? counts.created + counts.doubt + counts.pending : 0;
      });
      return { run, people: people ?? 0 };
    })
    .filter(({ people }) => people > 0);
}
