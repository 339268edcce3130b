-- Of a device with thousands of ports that are down, those are read that lead to another device.

drop index alarm_out_of_reach;
create index alarm_out_of_reach on alarm (device_id, if_index, id) where out_of_reach = 1 and rec_status = 0;
