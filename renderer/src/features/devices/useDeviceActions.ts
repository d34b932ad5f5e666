import { useMemo } from 'react';
import { useLocation } from 'wouter';
import { useRight } from '../../station/context.ts';
import { wantPanelFocus } from '../../station/panelFocus.ts';
import { texts } from '../../ui/texts.ts';
import { useServices } from '../../ui/toasts.ts';
import type { DeviceActions } from './DeviceLine.tsx';
import type { DeviceTableRow } from './deviceRows.ts';

type Given = { replace(deviceid: string): void; remove(deviceid: string): void };

/** What this person may do with one device; `given` asks first. */
export function useDeviceActions({ replace, remove }: Given): DeviceActions {
  const { api, toasts } = useServices();
  const mayWork = useRight('work');
  const mayManage = useRight('manage_devices');
  const [, navigate] = useLocation();

  return useMemo<DeviceActions>(() => {
    const identify = ({ key, name }: DeviceTableRow) => {
      api.identify(key).then(
        () => toasts.say(texts.devices.identified(name)),
        (error: unknown) => toasts.fail(texts.devices.identifyFailed(name), error),
      );
    };
    return {
      open(deviceid) {
        wantPanelFocus(deviceid);
        navigate(`/devices/${deviceid}`);
      },
      identify: mayWork ? identify : undefined,
      replace: mayManage ? ({ key }) => replace(key) : undefined,
      remove: mayManage ? ({ key }) => remove(key) : undefined,
    };
  }, [api, toasts, mayWork, mayManage, navigate, replace, remove]);
}
