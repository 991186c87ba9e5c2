export { type CheckedRule, checkRule } from './check-rule.ts';
export { type Damage, damageResponse } from './damage.ts';
export { ALL_OTHERS, type Delay, type DelayOption, isLognormal, LONGEST_DELAY_MS } from './delays.ts';
export { FAULT_EFFECTS, type FaultEffect, type FaultRule, type SequenceItem } from './fault-rule.ts';
export { buildFaultRules, type FaultRules, NO_RULES } from './fault-rules.ts';
export { type Fault, Faults, type RuleInfo, toCode } from './live-faults.ts';
export type { FaultTable } from './operation-pattern.ts';
export { parseRateLimit, type Quota, toQuotaHeaders } from './rate-limit.ts';
export { parseFaultRule, parseSequence } from './short-form.ts';
