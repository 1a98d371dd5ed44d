import type { Command } from 'commander';
import { type CommandHost, setAction } from '../framework/invocation.ts';

export function addDoctorCommand(doctor: Command, host: CommandHost): void {
  doctor
    .description(
      'Checks what can stop a migration or a webhook. It only reads. Exits with the code of the worst finding (a warning is ' +
        '3). With --from and --to it also sends one message, after a question, and explains a refusal.',
    )
    .option('--from <address>', 'send one message from this address')
    .option('--to <address>', 'and to this one');
  setAction(doctor, host, async () => (await import('./run-doctor.ts')).runDoctor);
}
