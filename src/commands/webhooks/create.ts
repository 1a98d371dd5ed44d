import { resolve } from 'node:path';
import { badUsage, EXIT, type ExitCode, SvcError } from '../../base/lib/errors.ts';
import { shellWord } from '../../base/lib/text.ts';
import { isSameUrl } from '../../wire/same-value.ts';
import { EVENT_TYPES } from '../../wire/service-words.ts';
import { withCreationRun } from '../framework/creation-run.ts';
import type { Invocation } from '../framework/invocation.ts';
import { requireWrittenAsAsked } from '../framework/output/written-as-asked.ts';
import { withAccount } from '../framework/settings/account.ts';
import { isServedLocally } from '../framework/settings/settings.ts';
import { refuseDash } from '../mailing-list-commands/output-files.ts';
import { createEndpointWithSecretFile, type EndpointPlan, endpointOf } from './create-with-secret.ts';
import { checkEndpointUrl, checkEventTypes } from './endpoint-flags.ts';

interface CreateFlags {
  readonly url?: string;
  readonly event?: readonly string[];
  readonly description?: string;
  readonly secretFile?: string;
}

/**
 * `svc webhooks create`. Keeps the secret if a response is lost, and never prints it where a log could keep it (W1).
 */
export async function createEndpoint(invocation: Invocation<CreateFlags>): Promise<ExitCode> {
  const { context, flags, settings } = invocation;
  const { url, event } = flags;
  if (url === undefined || event === undefined) {
    const missing = [...(url === undefined ? ['--url'] : []), ...(event === undefined ? ['--event <type>'] : [])];
    const types = `--event takes one type, and can be given several times: ${EVENT_TYPES.join(', ')}`;
    throw badUsage(`missing: ${missing.join(', ')}`, event === undefined ? types : undefined);
  }
  refuseDash('--secret-file', flags.secretFile);
  const plan: EndpointPlan = {
    url: checkEndpointUrl(url, isServedLocally(settings)),
    events: checkEventTypes('--event', event),
    ...(flags.description === undefined ? {} : { description: flags.description }),
    ...(flags.secretFile === undefined ? {} : { secret_file: resolve(context.cwd, flags.secretFile) }),
  };
  return createOrResumeEndpoint(invocation, plan);
}

export async function createOrResumeEndpoint(
  invocation: Invocation<unknown>,
  plan: EndpointPlan,
  resume?: string,
): Promise<ExitCode> {
  requirePlaceForSecret(invocation, plan, resume);
  const response = await withAccount(invocation, (account) =>
    withCreationRun(
      {
        command: 'webhooks create',
        options: { ...plan },
        op: 'webhook',
        whereToCheck: 'svc webhooks ls',
        canRenewKey: true,
        resume,
        similarity: {
          isSimilar: ({ url }) => isSameUrl(String(url), plan.url),
          doing: 'creating this endpoint',
          done: 'created this endpoint',
        },
      },
      account,
      invocation,
      (run) => createEndpointWithSecretFile(run, invocation, plan),
    ),
  );
  if (response) {
    requireWrittenAsAsked(endpointOf(plan), response, `svc webhooks get ${shellWord(response.id)}`);
  }
  return EXIT.ok;
}

function requirePlaceForSecret({ context, settings }: Invocation<unknown>, plan: EndpointPlan, resume?: string): void {
  if (plan.secret_file === undefined && (settings.output.json || !context.stdout.isTTY)) {
    throw new SvcError(
      EXIT.usage,
      'no_secret_file',
      'the signing secret is shown once and must not be written to a log',
      {
        hint:
          resume === undefined
            ? 'Give --secret-file <path>: the secret is written there, and only you can read the file.'
            : 'The run began at a terminal, where it shows the secret. Resume it at a terminal, without --json.',
      },
    );
  }
}
