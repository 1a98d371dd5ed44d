import { listAudiences } from '../../api/resources/audiences.ts';
import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { shellArgument, terminalSafe } from '../../base/lib/text.ts';
import { findLedgerOfSameName } from '../../ledgers/open-contact-ledger.ts';
import type { RunAccount } from '../../run-lifecycle/data/run-context.ts';
import { findReplacedAudience, type NamedAudience } from '../../runs/find/same-audience.ts';
import { audienceLines } from './audience-lines.ts';

interface AudienceSource {
  readonly account: Pick<RunAccount, 'client' | 'origin'>;
  readonly stateFolder: string;
  readonly signal: AbortSignal;
}

/**
 * Throws if this machine sent the last list for this name to an audience that has another name now. A new audience of
 * the old name would not know who left the renamed one, so svc would sign these people up again (C1).
 */
export async function refuseRenamedAudience(
  { account: { client, origin }, stateFolder, signal }: AudienceSource,
  name: string,
): Promise<void> {
  const findByLedger = (named: NamedAudience) => findLedgerOfSameName(stateFolder, named);
  const earlier = findReplacedAudience(stateFolder, '', { origin, name, id: undefined }, { findByLedger });
  if (!earlier) {
    return;
  }
  const all = await Array.fromAsync(listAudiences(client, { signal }));
  const renamed = all.find(({ id }) => id === earlier.id);
  if (!renamed) {
    return;
  }
  const message = `no audience is named "${terminalSafe(name)}", but the last list for this name went to an audience that is named "${terminalSafe(renamed.name)}" now. A new audience would not know who left that one`;
  const hint = [
    `To write to it:\n${audienceLines([renamed])}`,
    `If the list is for another audience, create it, and give the command again: svc audiences create ${shellArgument(name)}`,
  ];
  throw new SvcError(EXIT.usage, 'audience', message, { hint: hint.join('\n') });
}
