autocmd BufRead,BufNewFile *.lia setfiletype liaison
