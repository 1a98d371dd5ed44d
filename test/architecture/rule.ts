import { type Module, parseModule } from './module.ts';

/** Something that holds for the whole tree. */
export interface Rule {
  /** The claim, as the title of a test. */
  readonly claim: string;
  /** What breaks it, one line each: where, and what. */
  broken(modules: readonly Module[]): string[];
  /** A tree that breaks it, and what is said then: proof that the rule can fail. */
  readonly proof: { readonly files: Readonly<Record<string, string>>; readonly says: readonly string[] };
}

/** The files of a proof, parsed. */
export function parseAll(files: Readonly<Record<string, string>>): Module[] {
  return Object.entries(files).map(([path, text]) => parseModule(path, text));
}

/** A rule that looks at one module at a time, of those whose path begins with one of `under`. */
export function eachModule(
  under: readonly string[],
  broken: (module: Module) => readonly string[],
): (modules: readonly Module[]) => string[] {
  return (modules) =>
    modules
      .filter(({ path }) => under.some((start) => path.startsWith(start)))
      .flatMap((module) => broken(module).map((what) => `${module.path}: ${what}`));
}
