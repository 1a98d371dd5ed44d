import { createAudience, getAudience } from '../api/audiences.ts';
import { creationKey } from '../api/idempotency.ts';
import type { Keyed } from '../api/unit.ts';
import type { Audience } from '../wire/shapes.ts';
import { interrupted, later } from './deliver.ts';
import type { Work } from './work.ts';

/** What a creation needs of a run. */
export type Creator = Pick<Work, 'journal' | 'client' | 'signal' | 'randomHex'>;

/**
 * Creates the audience of a run. The key is on disk before the first byte; a run that was killed in between finds the
 * audience by its name when it goes on, because the target is looked up first. A replayed creation is read back.
 */
export async function createTarget(work: Creator, name: string): Promise<Audience> {
  const { journal, client, signal } = work;
  const kept = journal.read(NOTE) as Creation | undefined;
  const random = kept?.random ?? work.randomHex(24);
  const keyed: Keyed = {
    keyAt: (generation) => creationKey('audience', random, generation),
    generation: kept?.generation ?? 0,
    firstSentAt: kept?.firstSentAt,
    inDoubt: kept !== undefined && journal.read(IN_DOUBT) === true,
    beforeKey: ({ generation, firstSentAt }) => {
      journal.note(NOTE, { random, generation, firstSentAt } satisfies Creation);
      journal.note(IN_DOUBT, true);
    },
  };
  const outcome = await createAudience(client, name, { keyed, signal });
  journal.note(IN_DOUBT, 'inDoubt' in outcome && outcome.inDoubt);
  switch (outcome.kind) {
    case 'answered':
      return keep(work, await getAudience(client, outcome.value.id, { signal }));
    case 'refused':
      throw outcome.error;
    case 'doubt':
      throw outcome.cause;
    case 'later':
      throw later(outcome.resumeAt);
    case 'interrupted':
      throw interrupted(signal);
    default:
      return outcome satisfies never;
  }
}

interface Creation {
  readonly random: string;
  readonly generation: number;
  readonly firstSentAt: number;
}

const NOTE = 'creation';
const IN_DOUBT = 'creation_in_doubt';

function keep({ journal }: Creator, audience: Audience): Audience {
  journal.setDestination({ kind: 'audience', id: audience.id, name: audience.name, createdAt: audience.created_at });
  return audience;
}
