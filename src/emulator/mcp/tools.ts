import { AUTOMATION_TOOLS } from './automation-tools.ts';
import { CAMPAIGN_TOOLS } from './campaign-tools.ts';
import { READING_TOOLS } from './reading-tools.ts';
import { SENDING_TOOLS } from './sending-tools.ts';
import type { Tool } from './tool.ts';

/** Every tool of the MCP endpoint. */
export const TOOLS: readonly Tool[] = [...READING_TOOLS, ...CAMPAIGN_TOOLS, ...SENDING_TOOLS, ...AUTOMATION_TOOLS];
