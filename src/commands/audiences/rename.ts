import { checkNewAudienceName, renameAudience } from '../../api/resources/audiences.ts';
import { EXIT, type ExitCode } from '../../base/lib/exit.ts';
import { shellWord } from '../../base/lib/text.ts';
import { refuseOpenCreation } from '../../migrate/creation/create-audience.ts';
import { objectText } from '../../render/text/object.ts';
import { findId, namedAlready, noteSameName } from '../framework/find-id.ts';
import type { Invocation } from '../framework/invocation.ts';
import { print } from '../framework/output/print.ts';
import { requireWrittenAsAsked } from '../framework/output/written-as-asked.ts';
import { withAccount } from '../framework/settings/account.ts';
import { resolveStateFolder } from '../framework/settings/settings.ts';
import { whileNameLocked } from './name-lock.ts';

/** `svc audiences rename`: refused while another command may create an audience of the new name (I11). */
export async function renameOne(invocation: Invocation<unknown>): Promise<ExitCode> {
  const [given = '', name = ''] = invocation.args;
  checkNewAudienceName(name);
  const { signal, clock } = invocation.context;
  const stateFolder = resolveStateFolder(invocation.context, invocation.settings);
  const { audience, same } = await withAccount(invocation, async (account) => {
    const { client } = account;
    return whileNameLocked({ client, clock, stateFolder, name, run: 'svc audiences rename' }, async () => {
      const id = await findId('audience', given, account, invocation);
      const same = await namedAlready('audience', name, client, invocation);
      // After the reads, because the age of the creation counts by the service's time.
      refuseOpenCreation({ client, stateFolder, name });
      return { audience: await renameAudience(client, id, { name, signal }), same };
    });
  });
  print(invocation, audience, objectText);
  noteSameName(
    'audience',
    same.filter(({ id }) => id !== audience.id),
    invocation,
  );
  requireWrittenAsAsked({ name }, audience, `svc audiences get ${shellWord(audience.id)}`);
  return EXIT.ok;
}
