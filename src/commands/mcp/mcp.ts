import type { Command } from 'commander';
import { type CommandHost, setAction } from '../framework/invocation.ts';
import { withLsFlags } from '../framework/output/ls-flags.ts';

export function addMcpCommands(mcp: Command, host: CommandHost): void {
  const ls = mcp.command('ls').description('List the tools and their effects.');
  setAction(withLsFlags(ls), host, async () => (await import('./tools.ts')).listTools);
  const call = mcp
    .command('call')
    .description('Call one tool, once: it is never retried.')
    .argument('<tool>')
    .option('--arguments <json>', 'its arguments as a JSON object', '{}')
    .option('--confirm <tool>', 'its name again, if it is marked destructive');
  setAction(call, host, async () => (await import('./tools.ts')).callTool);
}
