import { serviceSettings } from '@gatehouse/http';
import { Type } from '@gatehouse/schema';

/** Admin's settings, by their names in the environment. */
export const settings = Type.Object(serviceSettings({ port: 8083, internalPort: 9083 }));
