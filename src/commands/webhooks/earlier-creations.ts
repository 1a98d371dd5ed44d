import type { Client } from '../../api/client.ts';
import { listWebhooks } from '../../api/resources/webhooks.ts';
import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { hashPlainData } from '../../base/lib/hash.ts';
import { shellWord, terminalSafe } from '../../base/lib/text.ts';
import { listReadableRuns } from '../../runs/find/list-runs.ts';
import { openJournalToRead } from '../../runs/store/open-journal.ts';
import type { RunHeader } from '../../runs/store/run-header.ts';
import { isSameText, isSameUrl } from '../../wire/same-value.ts';
import type { WebhookEndpoint } from '../../wire/shapes.ts';
import { collectAll } from '../framework/output/print.ts';

/** An endpoint that an earlier attempt may have created. The response was lost, and the secret with it. */
export type OrphanedEndpoint = Pick<WebhookEndpoint, 'id' | 'url'>;

// svc knows the service's time in whole seconds only, from `Date` headers. So `created_at` may look up to two seconds
// too early.
const TOLERANCE_MS = 2_000;

/** The endpoints of the account with this URL, also if the service writes it in another form. */
export async function listEndpointsWithUrl(
  client: Client,
  url: string,
  signal: AbortSignal,
): Promise<WebhookEndpoint[]> {
  const endpoints = await collectAll(listWebhooks(client, { signal }));
  return endpoints.filter((endpoint) => isSameUrl(endpoint.url, url));
}

/**
 * The endpoints with the planned description that were created since the first attempt (W1). `begunAt` is the time of
 * that attempt: by the service's clock, or by the local clock if svc had no response before. `skewMs` is the difference
 * of the two clocks.
 */
export function findOrphanedEndpoints(
  endpoints: readonly WebhookEndpoint[],
  planned: string | undefined,
  begunAt: number,
  skewMs: number,
): OrphanedEndpoint[] {
  const since = Math.min(begunAt, begunAt + skewMs) - TOLERANCE_MS;
  return endpoints
    .filter(({ description, created_at }) => isSameText(description, planned) && !(Date.parse(created_at) < since))
    .map(({ id, url }) => ({ id, url }));
}

/** The note about an orphaned endpoint, with the command that deletes it. */
export function orphanNote({ id, url }: OrphanedEndpoint): string {
  return `An earlier attempt created another endpoint for ${terminalSafe(url)}. Delete it unless you have its secret: svc webhooks delete ${shellWord(id)}`;
}

/** A creation that is about to begin. */
type NewCreation = Pick<RunHeader, 'command' | 'origin' | 'options'>;

/**
 * Throws if another creation for the same URL is running or has an unknown outcome. Otherwise the URL could get two
 * endpoints, and every event twice. Also throws if the same command is still running. If that run has stopped, the same
 * command resumes it.
 */
export function refuseConcurrentCreate(stateFolder: string, { command, origin, options }: NewCreation): void {
  const same = listReadableRuns(stateFolder).filter(
    (run) => !run.finished && run.command === command && run.origin === origin,
  );
  const running = same.find(
    ({ run, status }) => status === 'running' && hasSameUrl(optionsOf(stateFolder, run), options),
  );
  if (running) {
    throw new SvcError(EXIT.busy, 'busy', `${running.run} is creating this endpoint now`, {
      hint: 'svc runs ls',
    });
  }
  const other = same.find(({ run }) => isOtherOf(optionsOf(stateFolder, run), options));
  if (other) {
    throw new SvcError(
      EXIT.usage,
      'creation_in_doubt',
      `${other.run} may have created this endpoint: its outcome is unknown`,
      {
        hint: `Resume it: svc runs resume ${other.run}\nOr delete its record: svc runs delete ${other.run} --confirm ${other.run}`,
      },
    );
  }
}

function isOtherOf(earlier: NewCreation['options'], options: NewCreation['options']): boolean {
  return hasSameUrl(earlier, options) && hashPlainData(earlier) !== hashPlainData(options);
}

function hasSameUrl(earlier: NewCreation['options'], options: NewCreation['options']): boolean {
  return isSameUrl(String(earlier.url), String(options.url));
}

function optionsOf(stateFolder: string, run: string): NewCreation['options'] {
  const journal = openJournalToRead(stateFolder, run);
  try {
    return journal.header.options;
  } finally {
    journal.close();
  }
}
