import { serviceSettings } from '@gatehouse/http';
import { Type } from '@gatehouse/schema';

/** Portal's settings, by their names in the environment. */
export const settings = Type.Object(serviceSettings({ port: 8082, internalPort: 9082 }));
