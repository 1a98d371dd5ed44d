import { type Module, parseModule } from './module.ts';

/** A property of the whole source tree. */
export interface Rule {
  /** What the rule says, as the title of its test. */
  readonly claim: string;
  /** One line for each violation: the file, and what is wrong. */
  broken(modules: readonly Module[]): string[];
  /** A tree that breaks the rule, and the expected violations. This proves that the rule can fail. */
  readonly proof: { readonly files: Readonly<Record<string, string>>; readonly says: readonly string[] };
}

/** The files of a proof, parsed. */
export function parseAll(files: Readonly<Record<string, string>>): Module[] {
  return Object.entries(files).map(([path, text]) => parseModule(path, text));
}

/** A rule that checks each module by itself. `under` holds the prefixes of the paths to check. */
export function eachModule(
  under: readonly string[],
  broken: (module: Module) => readonly string[],
): (modules: readonly Module[]) => string[] {
  return (modules) =>
    modules
      .filter(({ path }) => under.some((start) => path.startsWith(start)))
      .flatMap((module) => broken(module).map((what) => `${module.path}: ${what}`));
}
