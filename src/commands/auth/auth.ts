import type { Command } from 'commander';
import { withGlobals } from '../framework/globals.ts';
import { action, type Host } from '../framework/invocation.ts';

export function addAuth(program: Command, host: Host): void {
  const auth = withGlobals(program.command('auth').description('API keys and profiles on this machine.'));
  const login = auth
    .command('login')
    .description(
      'Store an API key in a profile, for this base URL only. The key is typed without echo or read from standard input ' +
        '(or --api-key-file); no flag takes the key itself.',
    )
    .option('--no-check', 'store it without a request that checks it');
  action(login, host, async () => (await import('./login.ts')).login, { newProfile: true });
  action(
    auth.command('status').description('Show each effective setting and where it comes from. Sends nothing.'),
    host,
    async () => (await import('./status.ts')).status,
  );
  action(
    auth.command('logout').description("Remove the profile's key from this machine."),
    host,
    async () => (await import('./login.ts')).logout,
  );
}
