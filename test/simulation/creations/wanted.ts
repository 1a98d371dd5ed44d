import { listRuns } from '../../../src/runs/find/list-runs.ts';
import type { ProgramEnd } from '../machine/machine.ts';
import type { ProgramHome } from './program.ts';
import type { Scenario } from './scenario.ts';
import type { Service } from './service.ts';

/** An object that a user wants once, and what svc has printed so far. */
export interface WantedObject {
  readonly name: string;
  /** Number of new creations after svc asked to look for the object. */
  attempt: number;
  done: boolean;
  /** Number of running programs that create the object. */
  running: number;
  /** Tags of creations whose outcome svc reported as unknown. `tagOf` makes a tag. */
  readonly unknown: Set<string>;
  readonly results: ProgramResult[];
  readonly problems: string[];
}

/** One program and its output. */
export interface ProgramResult {
  readonly tag: string;
  readonly argv: readonly string[];
  readonly ended: ProgramEnd;
}

/** A simulated user, who may share the service or the wanted object with another one. */
export interface Person {
  readonly scenario: Scenario;
  readonly service: Service;
  readonly home: ProgramHome;
  readonly wanted: WantedObject;
}

/** An object to create. `name` distinguishes it from those of other people. */
export function createWanted(name: string): WantedObject {
  return { name, attempt: 1, done: false, running: 0, unknown: new Set(), results: [], problems: [] };
}

/** The tag of a creation: the name or description by which the simulation recognizes the object. */
export function tagOf({ name, attempt }: WantedObject): string {
  return `${name} ${attempt}`;
}

/** The file for the secret of the object with this tag. */
export function secretFile(tag: string): string {
  return `secret ${tag}`;
}

/** The id of a run that can be resumed, or is running. */
export function unfinishedAt({ state }: ProgramHome): string | undefined {
  return listRuns(state).find(({ finished }) => finished === false)?.run;
}
