import type { Client } from '../../api/client.ts';
import {
  deleteWebhookEndpoint,
  getWebhookEndpoint,
  listWebhookEndpointsWithUrl,
  updateWebhookEndpoint,
  type WebhookEndpointChange,
} from '../../api/resources/webhooks.ts';
import { badUsage, EXIT, type ExitCode, withoutFlags } from '../../base/lib/errors.ts';
import { shellWord } from '../../base/lib/text.ts';
import { objectText } from '../../render/text/object.ts';
import type { WebhookEndpoint } from '../../wire/shapes.ts';
import { findId, noteSameName } from '../framework/find-id.ts';
import type { Invocation } from '../framework/invocation.ts';
import { print } from '../framework/output/print.ts';
import { confirmName } from '../framework/output/prompts.ts';
import { requireWrittenAsAsked } from '../framework/output/written-as-asked.ts';
import { withAccount } from '../framework/settings/account.ts';
import { isServedLocally, type Settings } from '../framework/settings/settings.ts';
import { checkEndpointUrl, checkEventTypes } from './endpoint-flags.ts';

interface UpdateFlags {
  readonly url?: string;
  readonly description?: string;
  readonly status?: string;
  /** Event types, separated by commas. They replace the list. */
  readonly events?: string;
  readonly addEvent?: readonly string[];
  readonly removeEvent?: readonly string[];
}

/**
 * `svc webhooks update`. The service can only replace the whole list of events. So --add-event and --remove-event read
 * the list first (W3).
 */
export async function updateEndpoint(invocation: Invocation<UpdateFlags>): Promise<ExitCode> {
  const { flags, settings, context } = invocation;
  const { signal } = context;
  const asked = changeOf(flags, settings);
  const edits = editsOf(flags);
  if (edits === undefined && Object.keys(asked).length === 0) {
    throw badUsage('nothing to change was given');
  }
  const { endpoint, same, change } = await withAccount(invocation, async (account) => {
    const { client } = account;
    const id = await findId('webhook', invocation.args[0] ?? '', account, invocation);
    // svc needs these endpoints only for a note, which -q does not print.
    const same =
      asked.url === undefined || settings.output.quiet
        ? []
        : await listWebhookEndpointsWithUrl(client, asked.url, signal);
    const change = edits ? { ...asked, events: await editEvents(client, id, edits, signal) } : asked;
    return { endpoint: await updateWebhookEndpoint(client, id, { change, signal }), same, change };
  });
  print(invocation, withoutSecret(endpoint), objectText);
  noteSameName(
    'webhook',
    same.filter(({ id }) => id !== endpoint.id),
    invocation,
  );
  requireWrittenAsAsked(change, endpoint, `svc webhooks get ${shellWord(endpoint.id)}`);
  return EXIT.ok;
}

function changeOf({ url, description, status, events }: UpdateFlags, settings: Settings): WebhookEndpointChange {
  return {
    ...(url === undefined ? {} : { url: checkEndpointUrl(url, isServedLocally(settings)) }),
    ...(description === undefined ? {} : { description }),
    ...(status === undefined ? {} : { status }),
    ...(events === undefined ? {} : { events: checkEventTypes('--events', listOf(events)) }),
  };
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((type) => type.trim())
    .filter((type) => type !== '');
}

interface EventEdits {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

function editsOf({ addEvent, removeEvent, events }: UpdateFlags): EventEdits | undefined {
  if (addEvent === undefined && removeEvent === undefined) {
    if (events !== undefined && listOf(events).length === 0) {
      throw badUsage('--events names no event type');
    }
    return undefined;
  }
  if (events !== undefined) {
    throw badUsage(
      '--events replaces the list, --add-event and --remove-event change it: give one or the other',
      `${withoutFlags(['--add-event', '--remove-event'])}\n${withoutFlags(['--events'])}`,
    );
  }
  const [add, remove] = [checkEventTypes('--add-event', addEvent ?? []), removeEvent ?? []];
  const both = add.find((type) => remove.includes(type));
  if (both !== undefined) {
    throw badUsage(`--add-event and --remove-event both name ${both}`, 'Give each event type to one of them only.');
  }
  return { add, remove };
}

async function editEvents(client: Client, id: string, edits: EventEdits, signal: AbortSignal): Promise<string[]> {
  const { events } = await getWebhookEndpoint(client, id, { signal });
  const newEvents = [...new Set([...events, ...edits.add])].filter((type) => !edits.remove.includes(type));
  const absent = edits.remove.find((type) => !events.includes(type));
  if (absent !== undefined) {
    throw badUsage(
      `--remove-event: the endpoint does not subscribe to ${absent}`,
      `It subscribes to ${events.join(', ')}.`,
    );
  }
  if (newEvents.length === 0) {
    throw badUsage('no event type would be left', `Delete the endpoint instead: svc webhooks delete ${id}`);
  }
  return newEvents;
}

/** Removes a secret before the endpoint is printed. Only the response to a creation should contain a secret (K1). */
function withoutSecret({ secret: _, ...endpoint }: WebhookEndpoint): WebhookEndpoint {
  return endpoint;
}

interface WebhookDeleteFlags {
  readonly confirm?: string;
}

export async function deleteEndpoint(invocation: Invocation<WebhookDeleteFlags>): Promise<ExitCode> {
  const { signal } = invocation.context;
  const answer = await withAccount(invocation, async (account) => {
    const { client } = account;
    const id = await findId('webhook', invocation.args[0] ?? '', account, invocation);
    const { url, status } = await getWebhookEndpoint(client, id, { signal });
    await confirmName(invocation, {
      word: 'its id',
      expected: id,
      losses: [`${url} (${status}) and its delivery history will be gone, and no more events sent there.`],
      command: `svc webhooks delete ${shellWord(id)} --confirm ${shellWord(id)}`,
    });
    return deleteWebhookEndpoint(client, id, { signal });
  });
  print(invocation, answer, objectText);
  return EXIT.ok;
}
