import type { Command } from 'commander';
import { type CommandHost, collectValues, setAction, wholeNumberParser } from '../framework/invocation.ts';
import { readPort } from './port.ts';

export function addEmulatorCommands(emulator: Command, host: CommandHost): void {
  const start = emulator
    .command('start')
    .description('Serve the emulated service on loopback until it is stopped.')
    .option('--port <n>', 'port to listen on (0: any)', readPort, 0)
    .option('--data <dir>', 'keep its data here (default: in memory)')
    .option('--rate-limit <n>', 'requests a minute (0: no limit)', wholeNumberParser('--rate-limit', 0))
    .option('--faults <file>', 'scripted faults, JSON')
    .option('--seed <file>', 'objects to begin with, JSON')
    .option('--quirk <name=value>', 'how to read one point that the service document leaves open', collectValues)
    .option('--speed <n>', 'let its clock run this many times faster')
    .option('--allow-loopback-webhooks', 'deliver events to receivers on this machine');
  setAction(start, host, async () => (await import('./start.ts')).startEmulator);
  setAction(
    emulator
      .command('quirks')
      .description('List what the service document leaves open, and how the emulator reads it.'),
    host,
    async () => (await import('./start.ts')).listVariants,
  );
}
