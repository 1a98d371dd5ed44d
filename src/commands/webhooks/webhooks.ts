import { type Command, Option } from 'commander';
import { readPort } from '../emulator/port.ts';
import { type CommandHost, collectValues, setAction, wholeNumberParser } from '../framework/invocation.ts';
import { withLsFlags } from '../framework/output/ls-flags.ts';

export function addWebhooksCommands(webhooks: Command, host: CommandHost): void {
  addReads(webhooks, host);
  addWrites(webhooks, host);
  addReceivers(webhooks, host);
}

const ID_OR_URL = 'its id, or its exact URL';

function addReads(webhooks: Command, host: CommandHost): void {
  const ls = webhooks
    .command('ls')
    .description('List the endpoints with their health: streak of failures, last success, last failure, last error.')
    .option('--failing [n]', 'only endpoints whose streak is at least n (1); exit 3 if there is one')
    .option('--watch', 'redraw it every few seconds, on a terminal')
    .option('--every <seconds>', 'interval of --watch', wholeNumberParser('--every', 1), 10);
  setAction(withLsFlags(ls), host, async () => (await import('./ls.ts')).listEndpoints);
  setAction(
    webhooks.command('get').description('Show an endpoint.').argument('<id>', ID_OR_URL),
    host,
    async () => (await import('./ls.ts')).getEndpoint,
  );
  const deliveries = webhooks
    .command('deliveries')
    .description('Delivered and failed deliveries of an endpoint, newest first. The service keeps 30 days.')
    .argument('<id>', ID_OR_URL)
    .option('--status <status>', 'only deliveries of this status: delivered, failed, pending')
    .option('--summary', 'all of them, grouped by error, status and event type');
  setAction(
    withLsFlags(deliveries, { limitsJson: true }),
    host,
    async () => (await import('./deliveries.ts')).showDeliveries,
  );
}

function addWrites(webhooks: Command, host: CommandHost): void {
  const create = webhooks
    .command('create')
    .description('Create an endpoint. Its signing secret is shown once and goes into the file you name.')
    .option('--url <url>', 'public https, port 443 or 8443')
    .option('--event <type>', 'an event type to subscribe to; can be given several times', collectValues)
    .option('--description <text>', 'a note for yourself')
    .option('--secret-file <path>', 'file for the secret: made 0600 before the request, never overwritten');
  setAction(create, host, async () => (await import('./create.ts')).createEndpoint);
  const update = webhooks
    .command('update')
    .description('Change an endpoint.')
    .argument('<id>', ID_OR_URL)
    .option('--url <url>', 'public https, port 443 or 8443')
    .option('--description <text>', 'a note for yourself')
    .option('--status <status>', 'sent to the service unchanged')
    .option('--events <a,b>', 'replaces the event types')
    .option('--add-event <type>', 'adds an event type; can be given several times', collectValues)
    .option('--remove-event <type>', 'removes an event type; can be given several times', collectValues);
  setAction(update, host, async () => (await import('./update-and-delete.ts')).updateEndpoint);
  const remove = webhooks
    .command('delete')
    .description('Delete an endpoint and its delivery history.')
    .argument('<id>', ID_OR_URL)
    .option('--confirm <id>', 'its id again; needed without a terminal');
  setAction(remove, host, async () => (await import('./update-and-delete.ts')).deleteEndpoint);
}

function toleranceFlag(): Option {
  return new Option('--tolerance <seconds>', 'how far the timestamp may be off, both ways')
    .default(300)
    .argParser(wholeNumberParser('--tolerance', 0));
}

function addReceivers(webhooks: Command, host: CommandHost): void {
  const verify = webhooks
    .command('verify')
    .description('Check the signature of a request that you received: exit 0 or 3. Works offline.')
    .option('--secret-file <path>', 'file with the secret; in a rotation, give the old and the new one', collectValues)
    .option('--signature <header>', 'value of the Service-Signature header')
    .option('--payload <file>', 'the raw body ("-": standard input)', '-')
    .addOption(toleranceFlag());
  setAction(verify, host, async () => (await import('./verify.ts')).verifyPayload);
  const listen = webhooks
    .command('listen')
    .description(
      'A reference receiver on this machine: verifies raw bodies, drops repeats, prints one line per event (with --json one object per line).',
    )
    .option('--port <n>', 'port to listen on (0: any)', readPort)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--secret-file <path>', 'file with the secret; in a rotation, give the old and the new one', collectValues)
    .addOption(toleranceFlag())
    .option(
      '--forward-to <url>',
      'hand each verified event on to this URL, with its signature, and pass its answer back',
    )
    .option('--event <type>', 'only events of this type; can be given several times', collectValues);
  setAction(listen, host, async () => (await import('./listen/listen.ts')).listenForEvents);
}
