import { z } from 'zod';

/** An object schema that the OpenAPI document lists under this name. */
export const named = <Shape extends z.core.$ZodShape>(id: string, shape: Shape) => z.object(shape).meta({ id });
