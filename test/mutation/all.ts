import { API_MUTANTS } from './api-mutants.ts';
import { CHECK_MUTANTS } from './check-mutants.ts';
import { CREATION_MUTANTS } from './creation-mutants.ts';
import { ENROLL_MUTANTS } from './enroll-mutants.ts';
import { HEADER_MUTANTS } from './header-mutants.ts';
import { IMPORT_MUTANTS } from './import-mutants.ts';
import { INPUT_MUTANTS } from './input-mutants.ts';
import { LEAVER_MUTANTS } from './leaver-mutants.ts';
import { LEDGER_MUTANTS } from './ledger-mutants.ts';
import { MIGRATE_MUTANTS } from './migrate-mutants.ts';
import type { Mutant } from './mutant.ts';
import { QUESTION_MUTANTS } from './question-mutants.ts';
import { READING_MUTANTS } from './reading-mutants.ts';
import { SECRET_MUTANTS } from './secret-mutants.ts';
import { SPELLING_MUTANTS } from './spelling-mutants.ts';
import { SURFACE_MUTANTS } from './surface-mutants.ts';
import { TABLE_MUTANTS } from './table-mutants.ts';
import { WORLD_MUTANTS } from './world-mutants.ts';

export const MUTANTS: readonly Mutant[] = [
  ...API_MUTANTS,
  ...IMPORT_MUTANTS,
  ...HEADER_MUTANTS,
  ...MIGRATE_MUTANTS,
  ...ENROLL_MUTANTS,
  ...SPELLING_MUTANTS,
  ...SURFACE_MUTANTS,
  ...CREATION_MUTANTS,
  ...INPUT_MUTANTS,
  ...WORLD_MUTANTS,
  ...SECRET_MUTANTS,
  ...CHECK_MUTANTS,
  ...LEDGER_MUTANTS,
  ...QUESTION_MUTANTS,
  ...TABLE_MUTANTS,
  ...LEAVER_MUTANTS,
  ...READING_MUTANTS,
];
