import { readFileSync } from 'node:fs';
import type { NewAutomation } from '../../../src/emulator/admin/automations.ts';
import { createWorld, type RunOptions, type SeenRequest, type World } from '../../support/world.ts';

/** Invented people: `person0@example.com` and so on. */
export function addresses(count: number, from = 0): string[] {
  return Array.from({ length: count }, (_, index) => `person${from + index}@example.com`);
}

/** A list of addresses without a status. */
export function bare(emails: readonly string[]): string {
  return `email\n${emails.join('\n')}\n`;
}

/** A test setup with contacts in the audience and an automation for it. */
export interface AutomationWorld extends World {
  readonly automation: string;
  /** Enrolls the people of a list. `words` are further arguments. */
  enroll(list: string, words?: readonly string[], run?: RunOptions): ReturnType<World['svc']>;
  /** Addresses that were enrolled, in order. */
  enrolled(): string[];
  /** Enrollment requests since the last call. */
  asked(): SeenRequest[];
}

/** Creates the test setup of an enrollment. */
export async function createAutomationWorld(
  members: readonly string[],
  automation: NewAutomation = {},
  options: Parameters<typeof createWorld>[0] = {},
): Promise<AutomationWorld> {
  const world = await createWorld(options);
  world.emulator.admin.addContacts(members.map((email) => ({ email })));
  const id = world.emulator.admin.createAutomation({ name: 'Welcome', ...automation });
  return {
    ...world,
    automation: id,
    enroll: (list, words = [], run = {}) =>
      world.svc(['automations', 'enroll', id, world.file('list.csv', list), '--json', ...words], run),
    enrolled: () => world.emulator.admin.enrollments(id).map((enrollment) => enrollment.email),
    asked: () => world.requests().filter((request) => request.path.endsWith('/enroll')),
  };
}

/** The lines of a file, without the last line ending. */
export function linesOf(path: string): string[] {
  return readFileSync(path, 'utf8').trimEnd().split('\n');
}

/** The counts that are not zero. */
export function counts(rows: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(rows).filter(([, count]) => count !== 0));
}
