import { z } from 'zod';

export const loginSchema = z
  .object({ username: z.string().max(200), password: z.string().max(1_000) })
  .meta({ id: 'Login' });
export const loginResultSchema = z
  .object({
    token: z.string().describe('Goes into x-csrf-token with every write of this session.'),
    apikey: z.string().describe('A temporary key that ends with the session.'),
  })
  .meta({ id: 'LoginResult' });

/** What a key or a person may do; each includes the ones before it. */
export const SCOPES = ['read', 'control', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];
