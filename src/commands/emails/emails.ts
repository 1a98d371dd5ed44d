import type { Command } from 'commander';
import { type CommandHost, collectValues, setAction } from '../framework/invocation.ts';

export function addEmailsCommands(emails: Command, host: CommandHost): void {
  const send = emails
    .command('send')
    .description(
      'Send one message to 1 to 50 recipients. Transactional mail ignores unsubscribes, so it takes no list: ' +
        'newsletters are campaigns.',
    )
    .option('--from <address>', 'sender, of a verified domain')
    .option('--to <address>', 'recipient; can be given several times', collectValues)
    .option('--subject <text>', 'subject line')
    .option('--text <text>', 'the message as plain text')
    .option('--text-file <file>', 'the plain text from a file ("-": standard input)')
    .option('--html-file <file>', 'the message as HTML from a file ("-": standard input)');
  setAction(send, host, async () => (await import('./send.ts')).sendMessage);
}
