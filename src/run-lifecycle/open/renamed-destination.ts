import { listAudiences } from '../../api/resources/audiences.ts';
import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { looseNameKey, shellArgument, shellWord, terminalSafe } from '../../base/lib/text.ts';
import { describeChanges } from '../../import/source/input-changes.ts';
import { commandToDelete } from '../../runs/find/run-status.ts';
import type { Journal } from '../../runs/store/journal.ts';
import type { Destination, RunHeader } from '../../runs/store/run-header.ts';
import type { Audience } from '../../wire/shapes.ts';
import type { RunContext } from '../data/run-context.ts';
import type { ImportOptions } from '../data/run-options.ts';

/**
 * The error about a renamed audience. The user confirms the new name by typing the command of the run again. If that
 * command has the old name, svc would not find the audience. Then the user must first rename it back. If another
 * audience has the old name by now, svc prints no rename, because two audiences would then have one name (L3). If the
 * list has changed, svc does not print the command of the run, because it would send the new list (D5).
 */
export async function renamedError(journal: Journal, found: Destination, context: RunContext): Promise<SvcError> {
  const { header } = journal;
  const before = header.destination?.name ?? '';
  const other = await findAudienceOfName(context, before, found.id);
  const also = other ? `, and ${terminalSafe(other.id)} is named "${terminalSafe(other.name)}"` : '';
  const message = `${header.run} can't continue here: its audience "${terminalSafe(before)}" is now named "${terminalSafe(found.name)}"${also}`;
  const changes = await describeChanges(header.inputs);
  const step = stepFor(journal, { found, changes, isNameTaken: other !== undefined }, context);
  const hint = [...changes, `If it is the right audience, ${step}`].join(' ');
  return new SvcError(EXIT.usage, 'another_destination', message, { hint });
}

/** What svc knows about the audience of the run, its old name and its list. */
interface RenamedDestination {
  readonly found: Destination;
  /** Says which files of the list have changed since the run began, one sentence for each. */
  readonly changes: readonly string[];
  /** True if another audience has the old name. */
  readonly isNameTaken: boolean;
}

function stepFor(
  journal: Journal,
  { found, changes, isNameTaken }: RenamedDestination,
  { commandWith }: RunContext,
): string {
  const { header } = journal;
  const { target } = header.options as unknown as Partial<ImportOptions>;
  if (target?.name === undefined && changes.length === 0) {
    return commandWith === undefined ? 'run the same command again.' : `run its command again:\n${commandWith('')}`;
  }
  if (!isNameTaken) {
    return oldName(header, found);
  }
  const flag = `--audience ${shellWord(found.id)}`;
  const again =
    changes.length > 0
      ? `give the list as it is now to a new run with ${flag}`
      : `name it by its id. That begins a new run of the whole list:\n${flag}`;
  return `${again}\nThen: ${commandToDelete(journal)}`;
}

/** The other audience of the account that has this name, or one that looks like it. */
async function findAudienceOfName(
  { account, signal }: RunContext,
  name: string,
  ownId: string,
): Promise<Audience | undefined> {
  const all = account ? await Array.fromAsync(listAudiences(account.client, { signal })) : [];
  return all.find((audience) => audience.id !== ownId && looseNameKey(audience.name) === looseNameKey(name));
}

function oldName({ run, destination }: RunHeader, { id }: Destination): string {
  return `give it its old name: svc audiences rename ${id} ${shellArgument(destination?.name ?? '')}\nThen: svc runs resume ${run}`;
}
