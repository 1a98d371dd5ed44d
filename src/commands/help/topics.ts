import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { safe } from '../../base/lib/text.ts';

/** A page of `svc help`. */
export interface Topic {
  readonly topic: string;
  readonly text: string;
}

/** Loads a topic; another name is a usage error that lists the ones there are. */
export async function readTopic(name: string): Promise<Topic> {
  const load = LOADERS.get(name);
  if (!load) {
    throw new SvcError(EXIT.usage, 'usage', `no command or topic: ${safe(name)}`, {
      hint: `Topics: ${[...LOADERS.keys()].join(', ')}. Commands: svc --help`,
    });
  }
  return { topic: name, text: await load() };
}

const LOADERS: ReadonlyMap<string, () => Promise<string>> = new Map([
  ['exit-codes', async () => (await import('./exit-codes.ts')).EXIT_CODES_HELP],
  ['environment', async () => (await import('./environment.ts')).ENVIRONMENT_HELP],
  ['mapping', async () => (await import('./mapping-topic.ts')).MAPPING_HELP],
  ['idempotency', async () => (await import('./idempotency-topic.ts')).IDEMPOTENCY_HELP],
]);
