import { z } from 'zod';
import { timestamp } from '../../clock/timestamp.ts';
import {
  type AnalysisTemplate,
  type AnalysisTemplateChanges,
  type AnalysisTemplateRecord,
  createAnalysisTemplateSchema,
  type NewAnalysisTemplate,
  updateAnalysisTemplateSchema,
} from '../../domain/agents/analysis-template.ts';
import type { Pagination } from '../../domain/records/pagination.ts';
import { uuidv7 } from '../../ids.ts';
import { omitUndefined } from '../../input/omit-undefined.ts';
import { pageFields } from '../../input/page-query.ts';
import { invalidInput, parseInput } from '../../input/parse-input.ts';
import { checkId, notFound, requireFound } from '../../input/require-found.ts';
import type { SchemaChecker } from '../../schema/schema-checker.ts';
import type { RecordDependencies } from '../dependencies.ts';

/** Every method throws a `RequestError` for invalid requests: 400 for the input, 404 `analysis_template_not_found`. */
export interface AnalysisTemplateOperations {
  /** Input: `createAnalysisTemplateSchema`; `schema` must be a valid JSON Schema of type object. */
  create(orgId: string, input: NewAnalysisTemplate): Promise<AnalysisTemplate>;
  get(orgId: string, id: string): Promise<AnalysisTemplate>;
  /** Newest first. Query: `limit` (1–100, default 50), `offset`. */
  list(
    orgId: string,
    query?: AnalysisTemplateQuery,
  ): Promise<{ analysis_templates: AnalysisTemplate[]; pagination: Pagination }>;
  /** Input: `updateAnalysisTemplateSchema`. Changes the given keys only. */
  update(orgId: string, id: string, input: AnalysisTemplateChanges): Promise<AnalysisTemplate>;
  delete(orgId: string, id: string): Promise<void>;
}

const analysisTemplateQuerySchema = z.strictObject(pageFields(100));
type AnalysisTemplateQuery = z.input<typeof analysisTemplateQuerySchema>;

export interface AnalysisTemplateDependencies extends RecordDependencies {
  readonly schemas: Pick<SchemaChecker, 'faultsOf'>;
}

/** Creates the operations on analysis templates; `createOperations` creates all groups. */
export function createAnalysisTemplateOperations(deps: AnalysisTemplateDependencies): AnalysisTemplateOperations {
  const { storage, clock, random, schemas } = deps;

  async function checkSchema(orgId: string, schema: Record<string, unknown>): Promise<void> {
    const faults = await schemas.faultsOf(orgId, schema, 'schema');
    if (faults.length > 0) throw invalidInput(faults);
  }

  return {
    async create(orgId, input) {
      const written = omitUndefined(parseInput(createAnalysisTemplateSchema, input));
      await checkSchema(orgId, written.schema);
      const now = timestamp(clock);
      const record: AnalysisTemplateRecord = {
        id: uuidv7(clock, random),
        description: null,
        is_active: true,
        ...written,
        created_at: now,
        updated_at: now,
      };
      await storage.analysisTemplates.insert(orgId, record);
      return toTemplate(orgId, record);
    },

    async get(orgId, id) {
      checkId('analysis_template', id);
      return toTemplate(orgId, requireFound(await storage.analysisTemplates.get(orgId, id), 'analysis_template', id));
    },

    async list(orgId, query = {}) {
      const { limit = 50, offset = 0 } = parseInput(analysisTemplateQuerySchema, query);
      const [total, records] = await Promise.all([
        storage.analysisTemplates.count(orgId),
        storage.analysisTemplates.list(orgId, { limit, offset }),
      ]);
      const templates = records.map((record) => toTemplate(orgId, record));
      return { analysis_templates: templates, pagination: { total, limit, offset } };
    },

    async update(orgId, id, input) {
      checkId('analysis_template', id);
      const changes = omitUndefined(parseInput(updateAnalysisTemplateSchema, input));
      if (changes.schema !== undefined) await checkSchema(orgId, changes.schema);
      const updated = { ...changes, updated_at: timestamp(clock) };
      return toTemplate(
        orgId,
        requireFound(await storage.analysisTemplates.update(orgId, id, updated), 'analysis_template', id),
      );
    },

    async delete(orgId, id) {
      checkId('analysis_template', id);
      if (!(await storage.analysisTemplates.delete(orgId, id))) throw notFound('analysis_template', id);
    },
  };
}

function toTemplate(orgId: string, record: AnalysisTemplateRecord): AnalysisTemplate {
  return { ...record, org_id: orgId };
}
