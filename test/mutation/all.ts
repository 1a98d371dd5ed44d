import type { Mutant } from './mutant.ts';
import { HEADER_MUTANTS } from './reading/header-mutants.ts';
import { IMPORT_MUTANTS } from './reading/import-mutants.ts';
import { INPUT_MUTANTS } from './reading/input-mutants.ts';
import { QUESTION_MUTANTS } from './reading/question-mutants.ts';
import { READING_MUTANTS } from './reading/reading-mutants.ts';
import { REJECTS_MUTANTS } from './reading/rejects-mutants.ts';
import { SPELLING_MUTANTS } from './reading/spelling-mutants.ts';
import { TABLE_MUTANTS } from './reading/table-mutants.ts';
import { API_MUTANTS } from './sending/api-mutants.ts';
import { CHECK_MUTANTS } from './sending/check-mutants.ts';
import { CREATION_MUTANTS } from './sending/creation-mutants.ts';
import { ENROLL_MUTANTS } from './sending/enroll-mutants.ts';
import { LEDGER_MUTANTS } from './sending/ledger-mutants.ts';
import { MIGRATE_MUTANTS } from './sending/migrate-mutants.ts';
import { OPT_OUT_MUTANTS } from './sending/opt-out-mutants.ts';
import { EMULATOR_MUTANTS } from './surface/emulator-mutants.ts';
import { SECRET_MUTANTS } from './surface/secret-mutants.ts';
import { SURFACE_MUTANTS } from './surface/surface-mutants.ts';
import { WORLD_MUTANTS } from './surface/world-mutants.ts';

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
  ...OPT_OUT_MUTANTS,
  ...READING_MUTANTS,
  ...REJECTS_MUTANTS,
  ...EMULATOR_MUTANTS,
];
