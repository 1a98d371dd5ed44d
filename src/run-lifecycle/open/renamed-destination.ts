import { listAudiences } from '../../api/resources/audiences.ts';
import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { looseNameKey, shellArgument, shellWord, terminalSafe } from '../../base/lib/text.ts';
import type { Destination, RunHeader } from '../../runs/store/run-header.ts';
import type { Audience } from '../../wire/shapes.ts';
import type { RunContext } from '../data/run-context.ts';
import type { ImportOptions } from '../data/run-options.ts';

/**
 * The error about a renamed audience. The user confirms the new name by typing the command of the run again. If that
 * command has the old name, svc would not find the audience. Then the user must first rename it back. If another
 * audience has the old name by now, svc prints no rename, because two audiences would then have one name (L3).
 */
export async function renamedError(header: RunHeader, found: Destination, context: RunContext): Promise<SvcError> {
  const before = header.destination?.name ?? '';
  const { target } = header.options as unknown as Partial<ImportOptions>;
  const other = target?.name === undefined ? undefined : await findAudienceOfName(context, before, found.id);
  const also = other ? `, and ${terminalSafe(other.id)} is named "${terminalSafe(other.name)}"` : '';
  const message = `${header.run} can't continue here: its audience "${terminalSafe(before)}" is now named "${terminalSafe(found.name)}"${also}`;
  const step =
    target?.name === undefined ? sameCommand(context) : other ? byId(found, context) : oldName(header, found);
  return new SvcError(EXIT.usage, 'another_destination', message, { hint: `If it is the right audience, ${step}` });
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

function sameCommand({ commandWith }: RunContext): string {
  return commandWith === undefined ? 'run the same command again.' : `run its command again:\n${commandWith('')}`;
}

function byId({ id }: Destination, { commandWith }: RunContext): string {
  const flag = `--audience ${shellWord(id)}`;
  return `name it by its id. That begins a new run of the whole list:\n${commandWith?.(flag) ?? `The same command with ${flag}`}`;
}

function oldName({ run, destination }: RunHeader, { id }: Destination): string {
  return `give it its old name: svc audiences rename ${id} ${shellArgument(destination?.name ?? '')}\nThen: svc runs resume ${run}`;
}
