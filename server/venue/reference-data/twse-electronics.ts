/** Well-known listed electronics (industries 24 to 31), in the columns of the other listed securities. */
export const ELECTRONICS_KNOWN = `
#24
2303|聯電|UMC|45.6|12560
2329|華泰|Orient Semiconductor|38.4|553
2330|台積電|TSMC|1085|25932
2337|旺宏|Macronix|24.8|1943
2338|光罩|Taiwan Mask|42.6|256
2344|華邦電|Winbond|24.3|4500
2363|矽統|SiS|52.4|513
2369|菱生|Lingsen|17.3|380
2379|瑞昱|Realtek|532|513
2388|威盛|VIA Technologies|82.6|555
2401|凌陽|Sunplus|22.4|592
2408|南亞科|Nanya Technology|52.8|3099
2449|京元電子|KYEC|118|1223
2451|創見|Transcend|96.2|429
2454|聯發科|MediaTek|1340|1602
2458|義隆|Elan|138|304
2481|強茂|Panjit|58.4|382
3006|晶豪科|ESMT|62.3|286
3014|聯陽|ITE Tech|142|161
3034|聯詠|Novatek|516|609
3035|智原|Faraday|172|261
3189|景碩|Kinsus|108|456
3413|京鼎|Foxsemicon|312|104
3443|創意|GUC|1285|134
3532|台勝科|Formosa Sumco|98.6|388
3583|辛耘|Scientech|342|81
3661|世芯-KY|Alchip|3120|80
3711|日月光投控|ASE Technology|152|4418
4919|新唐|Nuvoton|78.4|420
4961|天鈺|Fitipower|212|121
4967|十銓|Team Group|86.2|78
4968|立積|RichWave|142|91
5269|祥碩|ASMedia|1960|74
6239|力成|Powertech|132|759
6257|矽格|Sigurd|74.6|478
6271|同欣電|Tong Hsing|112|209
6415|矽力*-KY|Silergy|386|388
6515|穎崴|WinWay|1120|35
6526|達發|Airoha|612|167
6531|愛普*|AP Memory|326|163
6533|晶心科|Andes|278|51
#25
2301|光寶科|Lite-On|118|2330
2324|仁寶|Compal|30.8|4407
2331|精英|ECS|19.6|557
2352|佳世達|Qisda|28.4|1967
2353|宏碁|Acer|34.6|3048
2356|英業達|Inventec|44.8|3588
2357|華碩|ASUS|642|743
2362|藍天|Clevo|42.6|593
2365|昆盈|KYE Systems|46.2|237
2376|技嘉|Gigabyte|272|670
2377|微星|MSI|152|845
2382|廣達|Quanta|286|3863
2395|研華|Advantech|348|862
2399|映泰|Biostar|22.8|178
3005|神基|Getac|118|607
3013|晟銘電|Uneec|92.4|192
3017|奇鋐|AVC|742|384
3022|威強電|IEI Integration|82.6|177
3231|緯創|Wistron|124|2892
3515|華擎|ASRock|242|123
3706|神達|MiTAC|72.8|1207
4938|和碩|Pegatron|84.6|2663
6206|飛捷|Flytech|98.4|143
6414|樺漢|Ennoconn|312|137
6669|緯穎|Wiwynn|2480|186
8210|勤誠|Chenbro|468|121
#26
2323|中環|CMC Magnetics|9.86|1096
2349|錸德|Ritek|12.8|660
2374|佳能|Ability Enterprise|46.2|282
2393|億光|Everlight|66.4|443
2409|友達|AUO|13.9|7654
3008|大立光|Largan|2435|134
3019|亞光|Asia Optical|128|279
3406|玉晶光|GSEO|412|113
3481|群創|Innolux|15.2|7984
3504|揚明光|Young Optics|72.6|114
3576|聯合再生|United Renewable|9.42|1629
3673|TPK-KY|TPK|36.8|407
3714|富采|Ennostar|42.4|742
6116|彩晶|HannStar|8.16|2883
6176|瑞儀|Radiant|186|464
6278|台表科|TSMT|108|292
6443|元晶|TSEC|19.8|495
6456|GIS-KY|GIS|52.6|338
8215|明基材|BenQ Materials|28.6|321
#27
2314|台揚|Microelectronics Technology|32.4|246
2332|友訊|D-Link|18.6|602
2345|智邦|Accton|742|561
2412|中華電|Chunghwa Telecom|129|7758
2439|美律|Merry Electronics|108|257
2450|神腦|Senao|36.2|258
2455|全新|Visual Photonics|118|185
2498|宏達電|HTC|44.6|841
3025|星通|Loop Telecom|56.8|73
3045|台灣大|Taiwan Mobile|112|3723
3596|智易|Arcadyan|218|220
3704|合勤控|Unizyx|33.6|418
4904|遠傳|Far EasTone|88.4|3604
4906|正文|Gemtek|32.8|402
5388|中磊|Sercomm|112|306
6285|啟碁|WNC|128|485
6426|統新|Apogee Optocom|72.4|51
6442|光聖|EZconn|612|78
#28
1471|首利|Solytech|12.4|176
2059|川湖|King Slide|1985|95
2308|台達電|Delta Electronics|428|2597
2313|華通|Compeq|76.4|1192
2316|楠梓電|Wus Printed Circuit|52.6|183
2327|國巨*|Yageo|164|2052
2355|敬鵬|Chin-Poon|38.6|397
2367|燿華|Unitech PCB|22.8|678
2368|金像電|Gold Circuit|312|487
2383|台光電|EMC|982|348
2385|群光|Chicony|142|768
2392|正崴|Foxlink|54.8|512
2402|毅嘉|Ichia|42.6|308
2421|建準|Sunonwealth|118|275
2428|興勤|Thinking Electronic|186|128
2457|飛宏|Phihong|32.4|391
2492|華新科|Walsin Technology|92.6|486
3023|信邦|Sinbon|246|240
3026|禾伸堂|Holy Stone|98.4|163
3037|欣興|Unimicron|142|1526
3042|晶技|TXC|112|310
3044|健鼎|Tripod|246|526
3376|新日興|Shin Zu Shing|212|197
3533|嘉澤|Lotes|1580|112
3653|健策|Jentech|1260|143
4915|致伸|Primax|82.6|462
4958|臻鼎-KY|Zhen Ding|142|956
#29
2347|聯強|Synnex Technology|72.4|1668
2414|精技|Unique Technology|33.6|168
2430|燦坤|Tsann Kuen|31.8|169
3010|華立|Wah Lee|118|260
3028|增你強|Zenitron|36.4|243
3033|威健|Weikeng|33.2|434
3036|文曄|WT Microelectronics|118|1119
3702|大聯大|WPG Holdings|72.8|1679
5434|崇越|Topco Scientific|286|189
8070|長華*|CWE|42.6|687
8112|至上|Supreme Electronics|58.4|516
#30
2427|三商電|Mercuries Data|24.6|202
2453|凌群|Syscom|52.4|100
2468|華經|Fortune Information|38.6|67
2471|資通|Ares International|46.8|48
2480|敦陽科|Stark Technology|132|106
3029|零壹|Zero One|82.4|156
5203|訊連|CyberLink|98.6|79
6183|關貿|Trade-Van|82.4|150
6214|精誠|Systex|118|272
#31
2312|金寶|Kinpo|22.6|1461
2317|鴻海|Hon Hai|212|13896
2354|鴻準|Foxconn Technology|62.4|1414
2359|所羅門|Solomon|132|173
2360|致茂|Chroma ATE|412|425
2404|漢唐|UIS|786|190
2464|盟立|Mirle|62.4|200
2474|可成|Catcher|206|680
3030|德律|TRI|142|236
3665|貿聯-KY|BizLink|786|190
6139|亞翔|L&K Engineering|312|230
6196|帆宣|MIC|186|197
6409|旭隼|Voltronic|1620|88
8021|尖點|Topoint|38.6|142
`;
